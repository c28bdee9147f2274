/** Captures on a machine as GitHub's hosted ones: the job is not root, and sudo asks nobody for a password. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { watch } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Captures } from "../../src/contracts/captures.ts";
import type { JobRequest } from "../../src/contracts/job.ts";
import { SampleJob, type WorkerRun } from "./sample-job.ts";

const systemPrograms = ["/usr/bin", "/bin"];

let job: SampleJob;
let tools: string;
let restoreModes: () => void;
beforeEach(() => {
  restoreModes = noteModes();
  job = new SampleJob();
  job.commit({ "README.md": "# Sample\n", ".gitignore": "made\n" });
  tools = mkdtempSync(path.join(os.tmpdir(), "taskfleet-sudo-"));
  chmodSync(tools, 0o755);
});
afterEach(() => {
  job.remove();
  rmSync(tools, { recursive: true, force: true });
  restoreModes();
});

/**
 * The worker as root opens and closes paths of the machine, and this one is more than a job's: what it may touch
 * outside of the test's own folders gets its modes back. Only a root can; others are on a runner that ends with the job.
 */
function noteModes(): () => void {
  if (process.getuid?.() !== 0) return () => undefined;
  const programs = systemPrograms.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  const modes = new Map<string, number>();
  for (const start of [os.tmpdir(), process.execPath, path.resolve("src/worker/main.ts"), ...programs])
    for (let file = start; !modes.has(file); file = path.dirname(file)) {
      const facts = statSync(file, { throwIfNoEntry: false });
      if (facts !== undefined) modes.set(file, facts.mode & 0o7777);
    }
  return () => {
    for (const [file, mode] of modes)
      if (((statSync(file, { throwIfNoEntry: false })?.mode ?? mode) & 0o7777) !== mode) chmodSync(file, mode);
  };
}

/** A real one is taken where there is one and we are not root; a root makes one that does the same. */
function providePath(): string {
  if (process.getuid?.() === 0) {
    const setpriv = path.join(tools, "setpriv-as-root");
    execFileSync("cp", [execFileSync("sh", ["-c", "command -v setpriv"], { encoding: "utf8" }).trim(), setpriv]);
    chmodSync(setpriv, 0o4755);
    const script = `#!/bin/sh\ntest "$1" = -n && test "$2" = -- && shift 2 || exit 1\nexec ${setpriv} --reuid=0 --regid=0 --clear-groups env -i PATH=/usr/bin:/bin "$@"\n`;
    writeFileSync(path.join(tools, "sudo"), script, { mode: 0o755 });
  }
  return [tools, ...systemPrograms].join(path.delimiter);
}

const canBecomeRoot =
  process.platform === "linux" && (process.getuid?.() === 0 || spawnSync("sudo", ["-n", "true"]).status === 0);
const onHosted = canBecomeRoot ? it : it.skip;

function prepare(setup: string): JobRequest {
  const config = job.blob(`floor: { setup: { command: ${JSON.stringify(setup)} } }\n`);
  return job.request({ role: "baseline", documents: { config } });
}

/** @param programs a further place in PATH. */
function start(request: JobRequest, programs = tools): Promise<WorkerRun> {
  job.dropPrivileges();
  // As the home folder of a hosted runner, in which the checkout lies.
  chmodSync(job.folder, 0o750);
  return job.run(request, {
    PATH: `${programs}:${providePath()}`,
    RUNNER_ENVIRONMENT: "github-hosted",
    ACTIONS_RUNTIME_TOKEN: "value-of-the-runtime-token",
  });
}

function readCaptures({ result, log }: WorkerRun): Captures {
  if (result?.outcome !== "done" || result.payload.kind !== "captures") throw new Error(log);
  return result.payload.captures;
}

const resultFile = (): string => path.join(job.temp, "taskfleet", "result.json");

describe("code under test on a hosted runner", () => {
  onHosted("is another user: it reads no step's environment and writes no result", async () => {
    const forge = `echo forged > ${resultFile()}`;
    const readAll =
      "for file in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do tr '\\0' '\\n' < $file; done 2>/dev/null";
    const request = prepare(`mkdir made; ${readAll}; ${forge}; id -u`);
    const run = await start(request);
    const { setup, runner } = readCaptures(run);
    expect(runner).toContain("commands ran as an unprivileged user");
    expect(setup?.output).toMatch(/^7\d{8}$/mu);
    expect(setup?.output).toMatch(/result\.json: Permission denied/iu);
    for (const value of ["value-of-the-runtime-token", request.job]) expect(setup?.output).not.toContain(value);
    expect(run.exit).toBe(0);
    // What the job goes on with is the job's own again.
    const { uid } = statSync(job.folder);
    for (const file of [job.root, path.join(job.root, "README.md"), path.join(job.root, "made"), resultFile()])
      expect(statSync(file).uid).toBe(uid);
  });

  onHosted("puts no program in the way of later steps, though it may write where programs lie", async () => {
    const programs = path.join(tools, "programs");
    mkdirSync(programs);
    writeFileSync(path.join(programs, "lfs"), "", { mode: 0o755 });
    for (const file of [programs, path.join(programs, "lfs")]) chmodSync(file, 0o777);
    // Whoever looks for git from now on, the worker included, finds this one first.
    const git = `printf '#!/bin/sh\\ntouch ${job.folder}/hijacked; exit 1\\n' > ${programs}/git; chmod 755 ${programs}/git`;
    const run = await start(prepare(`echo evil > ${programs}/lfs; ${git}; command -v git`), programs);
    expect(readCaptures(run).setup?.output).toContain(`${programs}/git`);
    expect(existsSync(path.join(job.folder, "hijacked"))).toBe(false);
    expect(existsSync(path.join(programs, "git"))).toBe(false);
    expect(readFileSync(path.join(programs, "lfs"), "utf8")).toBe("");
  });

  onHosted("runs as the job's user where another one could not work, and the captures say so", async () => {
    const closed = path.join(tools, "no-folder");
    writeFileSync(closed, "", { mode: 0o600 });
    const run = await start(prepare("id -u"), closed);
    const { setup, runner } = readCaptures(run);
    expect(run.log).toContain("no-folder is closed to other users");
    expect(Number(setup?.output)).toBe(statSync(job.folder).uid);
    expect(runner).not.toContain("unprivileged user");
    expect(statSync(job.root).uid).toBe(statSync(job.folder).uid);
  });

  onHosted("ends with the job when that is cancelled, and leaves no result", async () => {
    const made = path.join(job.root, "made");
    const running = start(prepare("mkdir made; echo $$ > made/pid.new; mv made/pid.new made/pid; sleep 600"));
    let pid: string;
    try {
      await seeFile(job.root, made);
      await seeFile(made, path.join(made, "pid"));
      pid = readFileSync(path.join(made, "pid"), "utf8").trim();
    } finally {
      job.cancel();
      await running;
    }
    const run = await running;
    expect(run.exit).toBe(130);
    expect(existsSync(resultFile())).toBe(false);
    expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
  });
});

async function seeFile(folder: string, file: string): Promise<void> {
  const seen = watch(folder, { signal: AbortSignal.timeout(20_000) });
  if (existsSync(file)) return;
  for await (const _change of seen) if (existsSync(file)) return;
}
