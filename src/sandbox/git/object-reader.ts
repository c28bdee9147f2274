import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { buildGitEnvironment } from "./run-git.ts";

export type ObjectType = "blob" | "tree" | "commit" | "tag";

export interface GitObject {
  readonly sha: string;
  readonly type: ObjectType;
  readonly content: Buffer;
}

/**
 * Reads objects through one long-lived `git cat-file --batch`, so that a read costs no process.
 * Answers come in the order of the questions.
 */
export class ObjectReader {
  readonly #dir: string;
  #child: ChildProcessWithoutNullStreams | null = null;
  #closed = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = 0;
  readonly #waiting: ((object: GitObject | null) => void)[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The object a revision expression names (`<sha>`, `refs/heads/x`, `<commit>:path`), or null. */
  read(expression: string): Promise<GitObject | null> {
    if (this.#closed || expression === "" || expression.includes("\n")) return Promise.resolve(null);
    const child = (this.#child ??= this.#start());
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      child.stdin.write(`${expression}\n`);
    });
  }

  /** Ends the process and resolves when it is gone; nothing can be read afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === null) return;
    // While it is idle it keeps nothing alive; its end is waited for.
    child.ref();
    const gone = once(child, "close");
    child.stdin.end();
    await gone;
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = spawn("git", ["cat-file", "--batch"], {
      cwd: this.#dir,
      env: buildGitEnvironment(),
      stdio: "pipe",
    });
    child.stdout.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size >= this.#needed) this.#drain();
    });
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.on("close", () => {
      this.#child = null;
      for (const resolve of this.#waiting.splice(0)) resolve(null);
    });
    // An idle reader must not keep the process alive.
    child.unref();
    return child;
  }

  #drain(): void {
    let buffer = Buffer.concat(this.#chunks);
    this.#needed = 0;
    for (;;) {
      const newline = buffer.indexOf(10);
      if (newline < 0) break;
      const header = buffer.subarray(0, newline).toString();
      const found = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(header);
      if (found === null) {
        buffer = buffer.subarray(newline + 1);
        this.#waiting.shift()?.(null);
        continue;
      }
      const size = Number(found[3]);
      const end = newline + 1 + size;
      if (buffer.length < end + 1) {
        this.#needed = end + 1;
        break;
      }
      const content = Buffer.from(buffer.subarray(newline + 1, end));
      buffer = buffer.subarray(end + 1);
      this.#waiting.shift()?.({ sha: found[1] ?? "", type: found[2] as ObjectType, content });
    }
    this.#chunks = [buffer];
    this.#size = buffer.length;
  }
}
