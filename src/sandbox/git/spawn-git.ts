import { spawn } from "node:child_process";

export interface GitCall {
  readonly dir: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: Uint8Array | string;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Runs one git command and returns whatever came of it. Written on `spawn`, since a busy sandbox makes
 * thousands of calls that last a millisecond each.
 */
export function spawnGit(call: GitCall): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", call.args, { cwd: call.dir, env: call.env, stdio: "pipe" });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    // git may exit before it has read all of its input; its exit code tells what that means.
    child.stdin.on("error", () => {});
    child.on("close", (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    );
    child.stdin.end(call.input);
  });
}
