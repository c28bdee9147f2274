/**
 * Runs one untrusted program in a process group of its own: bounded in time and output, and nothing
 * of the group outlives it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { findProgram } from "./find-program.ts";

export interface Program {
  /** Program and arguments; never a shell line. */
  readonly argv: readonly string[];
  /** Words before them; each starts what follows it in its own place. */
  readonly prefix?: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Standard output beyond this many bytes ends the program. */
  readonly maxOutputBytes: number;
  /** How long a program may take to end after SIGTERM. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
}

export interface ProgramResult {
  readonly ended: "exited" | "signalled" | "timed-out" | "oversize" | "cancelled" | "not-started";
  /** null unless the program exited by itself. */
  readonly exit: number | null;
  /** Why it could not be started; "" otherwise. */
  readonly error: string;
  /** Standard output as UTF-8; replacement characters where it is not. */
  readonly stdout: string;
  /** The last 8,192 characters of standard error. */
  readonly stderr: string;
}

const stderrTail = 8192;
/** How long a descendant that left the group may hold the pipes open. */
const pipeGraceMs = 2000;

export function runProgram(program: Program): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const [named] = program.argv;
    if (named === undefined) return resolve(notStarted("no program is named"));
    // What stands before the program could only say so by an exit status that may be the program's own.
    if (findProgram(named, program.cwd, program.env) === null) return resolve(notStarted(`spawn ${named} ENOENT`));
    const [file = named, ...args] = [...(program.prefix ?? []), ...program.argv];
    let child: ChildProcess;
    try {
      child = spawn(file, args, { cwd: program.cwd, env: program.env, detached: true, stdio: "pipe" });
    } catch (error) {
      // e.g. a NUL byte in an argument
      return resolve(notStarted(error instanceof Error ? error.message : String(error)));
    }
    let stopped: "timed-out" | "oversize" | "cancelled" | null = null;
    let failure: string | null = null;
    let size = 0;
    const chunks: Buffer[] = [];
    let errors = "";
    let forced: NodeJS.Timeout | undefined;
    let pipes: NodeJS.Timeout | undefined;

    const stop = (reason: "timed-out" | "oversize" | "cancelled"): void => {
      if (stopped !== null) return;
      stopped = reason;
      killGroup(child, "SIGTERM");
      forced = setTimeout(() => killGroup(child, "SIGKILL"), program.graceMs ?? 5000);
    };
    const onAbort = (): void => stop("cancelled");
    const limit = setTimeout(() => stop("timed-out"), program.timeoutMs);
    program.signal?.addEventListener("abort", onAbort, { once: true });

    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > program.maxOutputBytes) stop("oversize");
      else chunks.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString("utf8")).slice(-stderrTail);
    });
    // A program need not read its input: a broken pipe is no failure.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(program.input);
    child.on("error", (error) => {
      failure = error.message;
    });
    child.on("exit", () => {
      clearTimeout(limit);
      // What the program left running in its group ends with it.
      killGroup(child, "SIGKILL");
      pipes = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, pipeGraceMs);
    });
    child.on("close", (exit, signal) => {
      clearTimeout(limit);
      clearTimeout(forced);
      clearTimeout(pipes);
      program.signal?.removeEventListener("abort", onAbort);
      if (failure !== null && child.pid === undefined) return resolve(notStarted(failure));
      const ended = stopped ?? (signal === null ? "exited" : "signalled");
      const stdout = ended === "oversize" ? "" : Buffer.concat(chunks).toString("utf8");
      resolve({ ended, exit: ended === "exited" ? exit : null, error: "", stdout, stderr: errors });
    });
    if (program.signal?.aborted === true) stop("cancelled");
  });
}

function notStarted(error: string): ProgramResult {
  return { ended: "not-started", exit: null, error, stdout: "", stderr: "" };
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is already gone.
  }
}
