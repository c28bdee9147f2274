import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { buildGitEnvironment } from "./run-git.ts";

export type RefWrite = { readonly ok: true } | { readonly ok: false; readonly reason: string };

interface Session {
  readonly child: ChildProcessWithoutNullStreams;
  answer: ((line: string) => void) | null;
  stderr: string;
}

const ZERO = "0".repeat(40);

/**
 * Moves refs through one long-lived `git update-ref --stdin`, one transaction after the other. git ends
 * the process when it refuses; the next write starts another.
 * https://git-scm.com/docs/git-update-ref
 */
export class RefWriter {
  readonly #dir: string;
  #session: Session | null = null;
  #closed = false;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Compare-and-swap: moves `name` from `before` to `after` (null: absent) or says why git refused. */
  write(name: string, before: string | null, after: string | null): Promise<RefWrite> {
    if (this.#closed || /[\s\0]/.test(name)) return Promise.resolve({ ok: false, reason: "not a ref name" });
    const command =
      after === null
        ? `delete ${name}${before === null ? "" : ` ${before}`}`
        : `update ${name} ${after} ${before ?? ZERO}`;
    const result = this.#tail.then(() => this.#transact(command));
    this.#tail = result;
    return result;
  }

  /** Ends the process and resolves when it is gone; nothing can be written afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#tail;
    const session = this.#session;
    if (session === null) return;
    // While it is idle it keeps nothing alive; its end is waited for.
    session.child.ref();
    const gone = once(session.child, "close");
    session.child.stdin.end();
    await gone;
  }

  #transact(command: string): Promise<RefWrite> {
    const session = (this.#session ??= this.#start());
    return new Promise((resolve) => {
      session.answer = (line) => {
        if (line === "commit: ok") resolve({ ok: true });
        else if (line.startsWith("closed")) resolve({ ok: false, reason: session.stderr.trim() });
      };
      session.child.stdin.write(`start\n${command}\ncommit\n`);
    });
  }

  #start(): Session {
    const child = spawn("git", ["update-ref", "--stdin"], {
      cwd: this.#dir,
      env: buildGitEnvironment(),
      stdio: "pipe",
    });
    const session: Session = { child, answer: null, stderr: "" };
    let rest = "";
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) session.answer?.(line);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      session.stderr += chunk.toString();
    });
    child.stdin.on("error", () => {});
    child.on("close", () => {
      if (this.#session === session) this.#session = null;
      session.answer?.("closed");
    });
    child.unref();
    return session;
  }
}
