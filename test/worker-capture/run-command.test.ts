import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCommand, type ShellCommand } from "../../src/worker/capture/run-command.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-command-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function shell(command: string, change: Partial<ShellCommand> = {}): ShellCommand {
  return {
    command,
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    timeoutMs: 20_000,
    uid: null,
    prefix: [],
    keepStdoutBytes: 0,
    ...change,
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has waited for yet is no longer running.
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A killed process gives its pipes back a moment before it is gone. */
async function hasEnded(pid: number): Promise<boolean> {
  const deadline = performance.now() + 5000;
  while (isAlive(pid) && performance.now() < deadline) await new Promise(setImmediate);
  return !isAlive(pid);
}

describe("a command that does not end", () => {
  it("is ended with everything it started, also what ignores SIGTERM", async () => {
    const { capture } = await runCommand(
      shell("trap '' TERM; (trap '' TERM; sleep 60) & echo $! > child; wait", { timeoutMs: 300 }),
    );
    expect(capture).toMatchObject({ exit: null, timedOut: true, signal: "SIGKILL" });
    expect(await hasEnded(Number(readFileSync(path.join(folder, "child"), "utf8")))).toBe(true);
  });

  it("ends at once when the job is cancelled", async () => {
    const abort = new AbortController();
    const running = runCommand(shell("touch started; sleep 60", { signal: abort.signal }));
    while (!existsSync(path.join(folder, "started"))) await new Promise(setImmediate);
    abort.abort();
    expect((await running).capture).toMatchObject({ exit: null, timedOut: false, signal: "SIGTERM" });
  });
});

describe("a command that ends", () => {
  it("takes its background processes with it, and does not wait for their output", async () => {
    const { capture } = await runCommand(shell("sleep 60 & echo $! > child; echo done"));
    expect(capture).toMatchObject({ exit: 0, output: "done\n" });
    expect(capture.durationMs).toBeLessThan(10_000);
    expect(await hasEnded(Number(readFileSync(path.join(folder, "child"), "utf8")))).toBe(true);
  });

  it("is not waited for when a daemon of another session keeps its output open", async () => {
    const { capture } = await runCommand(
      shell("setsid sh -c 'echo $$ > child; exec sleep 5' & while [ ! -s child ]; do :; done; echo done"),
    );
    expect(capture).toMatchObject({ exit: 0, output: "done\n" });
    expect(capture.durationMs).toBeLessThan(4500);
    process.kill(Number(readFileSync(path.join(folder, "child"), "utf8")), "SIGKILL");
  });

  it("hands over its whole standard output when that is the report, within a limit", async () => {
    const whole = await runCommand(shell("echo report; echo noise >&2", { keepStdoutBytes: 100 }));
    expect(whole.stdout).toBe("report\n");
    const flood = await runCommand(shell("yes | head -c 5000", { keepStdoutBytes: 100 }));
    expect(flood.stdout).toBeNull();
    expect(flood.capture.exit).toBe(0);
  });

  it("reads nothing, inherits nothing, and survives text that is no text", async () => {
    const { capture } = await runCommand(shell("cat; printf '\\377\\376é'; test -z \"$HOME\""));
    expect(capture).toMatchObject({ exit: 0, output: "\u{FFFD}\u{FFFD}é" });
  });
});

describe("a command that cannot start", () => {
  it("says why", async () => {
    const missing = await runCommand(shell("true", { prefix: ["/does/not/exist"] }));
    expect(missing.capture).toMatchObject({ exit: null, signal: null, spawnError: expect.stringContaining("ENOENT") });
    const broken = await runCommand(shell("true\0"));
    expect(broken.capture.spawnError).toMatch(/null byte/u);
  });
});
