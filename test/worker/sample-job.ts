/** A small repository, a request and the real worker as a process, for the tests of jobs. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type JobRequest, type JobResult, jobResultSchema } from "../../src/contracts/job.ts";
import type { Plan } from "../../src/contracts/plan.ts";

const entry = path.resolve("src/worker/main.ts");

export interface WorkerRun {
  readonly exit: number | null;
  readonly log: string;
  /** null when no result file was written. */
  readonly result: JobResult | null;
  /** What the step wrote to GITHUB_OUTPUT. */
  readonly output: string;
}

export class SampleJob {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), "taskfleet-worker-"));
  readonly root = path.join(this.folder, "checkout");
  readonly temp = path.join(this.folder, "temp");
  /** The worker that was started last. */
  #worker: ChildProcess | null = null;
  #user: number | null = null;

  constructor() {
    mkdirSync(this.root);
    mkdirSync(this.temp);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "A person");
    this.git("config", "user.email", "person@example.org");
    this.git("config", "commit.gpgsign", "false");
  }

  /** As on a hosted runner, where a job is not root; a test that is no root itself has nothing to do. */
  dropPrivileges(): void {
    if (process.getuid?.() !== 0) return;
    this.#user = 12_345;
    execFileSync("chown", ["-R", `${this.#user}:${this.#user}`, this.folder]);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }

  write(files: Readonly<Record<string, string | Buffer>>): void {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.root, file)), { recursive: true });
      writeFileSync(path.join(this.root, file), text);
    }
  }

  link(file: string, target: string): void {
    symlinkSync(target, path.join(this.root, file));
  }

  commit(files: Readonly<Record<string, string | Buffer>> = {}): string {
    this.write(files);
    this.git("add", "--all", "--force");
    this.git("commit", "--quiet", "--allow-empty", "--message", "A commit");
    return this.git("rev-parse", "HEAD");
  }

  /** A commit with a submodule `sub` that nobody has fetched: an empty folder, as checkouts leave it. */
  commitSubmodule(): string {
    this.write({
      ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = https://example.org/sub\n\tignore = none\n',
    });
    mkdirSync(path.join(this.root, "sub"));
    this.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
    return this.commit();
  }

  /**
   * A shell line that makes `sub` a repository in which a tracked file is changed, and whoever lets git look whether it
   * is starts a program that makes the file `proof`.
   */
  trapSubmodule(proof: string): string {
    return [
      "cd sub",
      "git init --quiet",
      "echo one > file",
      "git add file",
      "git -c user.name=x -c user.email=x@example.org commit --quiet --message x",
      "echo '* filter=trap' > .gitattributes",
      `git config filter.trap.clean 'touch ${proof}; cat'`,
      "echo two > file",
    ].join(" && ");
  }

  /** A text as a blob that no commit holds. */
  blob(text: string): string {
    return execFileSync("git", ["hash-object", "-w", "--stdin"], {
      cwd: this.root,
      input: text,
      encoding: "utf8",
    }).trim();
  }

  /** Configuration with one `command` agent whose program is the given module text. */
  agentConfig(program: string): string {
    const file = path.join(this.folder, "agent.mjs");
    writeFileSync(file, program);
    const command = JSON.stringify([process.execPath, file]);
    return this.blob(`agents:\n  - name: tester\n    preset: command\n    command: ${command}\n`);
  }

  request(fields: Partial<JobRequest> & Pick<JobRequest, "role">): JobRequest {
    return {
      v: 1,
      run: "7-sample",
      job: `7-sample/${fields.role}/1`,
      planRev: 1,
      commit: this.git("rev-parse", "HEAD"),
      documents: {},
      ...fields,
    };
  }

  /** As a step is told that its run was cancelled; nothing where the worker has ended already. */
  cancel(): void {
    this.#worker?.kill("SIGINT");
  }

  run(request: JobRequest, env: Readonly<Record<string, string>> = {}): Promise<WorkerRun> {
    return this.start("run", {
      TASKFLEET_ROLE: request.role,
      TASKFLEET_JOB: request.job,
      TASKFLEET_REQUEST: JSON.stringify(request),
      ...env,
    });
  }

  start(mode: string, env: Readonly<Record<string, string>>, program = entry): Promise<WorkerRun> {
    const output = path.join(this.temp, "output");
    writeFileSync(output, "");
    rmSync(path.join(this.temp, "taskfleet", "result.json"), { force: true });
    const user = `${this.#user}`;
    const words = this.#user === null ? [] : ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--"];
    const [file, ...args] = [...words, process.execPath, program];
    const child = spawn(file, args, {
      cwd: this.root,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: this.folder,
        INPUT_MODE: mode,
        GITHUB_WORKSPACE: this.root,
        GITHUB_OUTPUT: output,
        GITHUB_REPOSITORY: "octo/sample",
        RUNNER_TEMP: this.temp,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#worker = child;
    let log = "";
    child.stdout.on("data", (chunk: Buffer) => (log += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString("utf8")));
    return new Promise((resolve) => {
      child.on("close", (exit) => {
        resolve({ exit, log, result: this.#loadResult(), output: readFileSync(output, "utf8") });
      });
    });
  }

  #loadResult(): JobResult | null {
    const file = path.join(this.temp, "taskfleet", "result.json");
    return existsSync(file) ? jobResultSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
  }
}

/** A valid plan with two chunks. */
export function samplePlan(): Plan {
  return {
    schema_version: 3,
    plan_rev: 1,
    intent_rev: 1,
    feature: { slug: "greeting", source_branch: "main", integration_branch: "taskfleet/7-sample/integration" },
    baseline: {
      ref: "taskfleet/7-sample/integration@fork",
      commit_oid: "a".repeat(40),
      toolchain: "node v24.22.3",
      test_passlist_hash: `sha256:${"0".repeat(64)}`,
      clippy_warnings_hash: `sha256:${"0".repeat(64)}`,
      enumerated_targets_hash: `sha256:${"0".repeat(64)}`,
    },
    acceptance: [
      { kind: "check", desc: "the greeting is printed", run: "node src/greet.js" },
      { kind: "assertion", desc: "the greeting names the person" },
    ],
    chunks: [
      {
        id: "greet",
        title: "Greet a person",
        tier: "mid",
        brief: "Add greet(name) to src/greet.js; it returns `Hello, NAME!` and refuses a blank name.",
        files_touched: ["src/greet.js", "test/greet.test.js"],
        checks: [{ desc: "the tests pass", run: "node --test test/greet.test.js" }],
        assertions: ["greet refuses a blank name"],
        requires_tests: true,
      },
      {
        id: "cli",
        title: "Print the greeting",
        deps: ["greet"],
        tier: "code",
        brief: "Add src/cli.js, which prints greet(process.argv[2]).",
        files_touched: ["src/cli.js"],
        checks: [{ desc: "it prints", run: "node src/cli.js Ada" }],
      },
    ],
  };
}
