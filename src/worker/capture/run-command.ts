/**
 * Runs one shell command of a floor job in a process group of its own: bounded in time, its output
 * kept as a tail, nothing of the group outliving it.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { CommandCapture } from "../../contracts/captures.ts";
import { guardGroup } from "../process/guard-group.ts";

export interface ShellCommand {
  readonly command: string;
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** null = as this process. */
  readonly uid: number | null;
  /** Words before `sh -c …`. */
  readonly prefix: readonly string[];
  /** Keep standard output up to this many bytes (a report); 0 = only the tail. */
  readonly keepStdoutBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommandRun {
  readonly capture: CommandCapture;
  /** Standard output when it was to be kept; null when there was more than the limit. */
  readonly stdout: string | null;
}

const tailCharacters = 16_384;
/** How long a command may take to end after SIGTERM. */
const graceMs = 2000;

export function runCommand(request: ShellCommand): Promise<CommandRun> {
  return new Promise((resolve) => {
    const started = performance.now();
    const tail = new OutputTail();
    const kept: Buffer[] = [];
    let keptBytes = 0;
    let spawnError: string | null = null;

    const argv = [...request.prefix, "sh", "-c", request.command];
    const file = argv[0] ?? "sh";
    const finish = (exit: number | null, signal: NodeJS.Signals | null, timedOut: boolean): void => {
      const failed = spawnError !== null;
      resolve({
        capture: {
          command: request.command,
          exit: failed || timedOut ? null : exit,
          signal: failed ? null : signal,
          timedOut,
          spawnError,
          durationMs: Math.round(performance.now() - started),
          output: tail.read(),
          outputBytes: tail.bytes,
        },
        stdout: keptBytes > request.keepStdoutBytes ? null : Buffer.concat(kept).toString("utf8"),
      });
    };
    let child: ChildProcess;
    try {
      child = spawn(file, argv.slice(1), {
        cwd: request.cwd,
        env: request.env,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        ...(request.uid === null ? {} : { uid: request.uid, gid: request.uid }),
      });
    } catch (error) {
      // e.g. a NUL byte in the command
      spawnError = describe(error);
      finish(null, null, false);
      return;
    }
    guardGroup(child, { timeoutMs: request.timeoutMs, graceMs, signal: request.signal }, ({ exit, signal, stopped }) =>
      finish(exit, signal, stopped === "timed-out"),
    );
    child.stdout?.on("data", (chunk: Buffer) => {
      tail.add("out", chunk);
      if (request.keepStdoutBytes === 0) return;
      keptBytes += chunk.length;
      if (keptBytes <= request.keepStdoutBytes) kept.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => tail.add("err", chunk));
    child.on("error", (error) => {
      if (child.pid === undefined) spawnError = describe(error);
    });
  });
}

/** The last characters of both streams, as they came. */
class OutputTail {
  bytes = 0;
  #text = "";
  readonly #decoders = { out: new StringDecoder("utf8"), err: new StringDecoder("utf8") };

  add(stream: "out" | "err", chunk: Buffer): void {
    this.bytes += chunk.length;
    // A flood is cut before it is decoded.
    const end = chunk.length > 4 * tailCharacters ? chunk.subarray(-4 * tailCharacters) : chunk;
    this.#text += this.#decoders[stream].write(end);
    if (this.#text.length > 2 * tailCharacters) this.#text = this.#text.slice(-tailCharacters);
  }

  read(): string {
    return this.#text.slice(-tailCharacters).toWellFormed();
  }
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000);
}
