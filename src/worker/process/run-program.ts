/**
 * Runs one untrusted program in a process group of its own: bounded in time and output, and nothing
 * of the group outlives it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { findProgram } from "./find-program.ts";
import { guardGroup } from "./guard-group.ts";

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
const graceMs = 5000;

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
    let failure: string | null = null;
    let size = 0;
    const chunks: Buffer[] = [];
    let errors = "";
    const limits = { timeoutMs: program.timeoutMs, graceMs: program.graceMs ?? graceMs, signal: program.signal };
    const stop = guardGroup<"oversize">(child, limits, ({ exit, signal, stopped }) => {
      if (failure !== null && child.pid === undefined) return resolve(notStarted(failure));
      const ended = stopped ?? (signal === null ? "exited" : "signalled");
      const stdout = ended === "oversize" ? "" : Buffer.concat(chunks).toString("utf8");
      resolve({ ended, exit: ended === "exited" ? exit : null, error: "", stdout, stderr: errors });
    });

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
  });
}

function notStarted(error: string): ProgramResult {
  return { ended: "not-started", exit: null, error, stdout: "", stderr: "" };
}
