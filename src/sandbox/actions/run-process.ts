import { spawn } from "node:child_process";
import { createLineSplitter } from "./split-lines.ts";

/** https://docs.github.com/en/actions/reference/workflow-cancellation-reference */
export interface StopTimes {
  /** From SIGINT to SIGTERM. */
  readonly interruptMs: number;
  /** From SIGTERM to killing the whole group. */
  readonly terminateMs: number;
  /**
   * How long to read on after the process has ended while a child of it holds its output open, as
   * the runner does for processes started in the background.
   */
  readonly outputMs: number;
}

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborted: the process is asked to end, then made to. */
  readonly stop: AbortSignal;
  /** Aborted: the whole group is killed at once. */
  readonly kill: AbortSignal;
  readonly times: StopTimes;
  readonly onLine: (line: string) => void;
}

export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number; readonly leftBehind: ProcessGroup | null }
  | { readonly kind: "stopped" }
  | { readonly kind: "not-started"; readonly message: string };

/** A process group that still has members although its first process has ended. */
export interface ProcessGroup {
  readonly id: number;
}

/**
 * Runs a program in its own process group (and session, so that nothing can prompt on a terminal),
 * its output line by line to `onLine`. Stopped processes take their group with them; a process that
 * ends by itself may leave background processes behind, which the caller ends with the job.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const { stop, kill, times } = request;
  if (stop.aborted || kill.aborted) return { kind: "stopped" };
  const child = spawn(request.command, [...request.args], {
    cwd: request.cwd,
    env: { ...request.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    const splitter = createLineSplitter(request.onLine);
    stream.on("data", (chunk: Buffer) => splitter.push(chunk));
    stream.on("end", () => splitter.end());
    // A broken pipe of a killed process is no news.
    stream.on("error", () => undefined);
  }
  const ended = Promise.withResolvers<ProcessEnd>();
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  const killAll = (): void => {
    if (child.pid !== undefined) killGroup({ id: child.pid });
  };
  // The signals go to the entry process alone, as on GitHub; only the last resort is the whole tree.
  const onStop = (): void => {
    stopping = true;
    child.kill("SIGINT");
    timer = setTimeout(() => {
      child.kill("SIGTERM");
      timer = setTimeout(killAll, times.terminateMs);
    }, times.interruptMs);
  };
  const onKill = (): void => {
    stopping = true;
    clearTimeout(timer);
    killAll();
  };
  stop.addEventListener("abort", onStop, { once: true });
  kill.addEventListener("abort", onKill, { once: true });
  child.once("error", (error) => ended.resolve({ kind: "not-started", message: error.message }));
  child.once("exit", (code) => {
    clearTimeout(timer);
    stop.removeEventListener("abort", onStop);
    kill.removeEventListener("abort", onKill);
    const group = { id: child.pid ?? 0 };
    if (stopping) killGroup(group);
    const finish = (): void => {
      clearTimeout(timer);
      // 128 + signal would need the number; a signal nobody here sent is a failure in any case.
      ended.resolve(
        stopping
          ? { kind: "stopped" }
          : { kind: "exited", code: code ?? 128, leftBehind: isGroupAlive(group) ? group : null },
      );
    };
    timer = setTimeout(finish, times.outputMs);
    child.once("close", finish);
  });
  try {
    return await ended.promise;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", onStop);
    kill.removeEventListener("abort", onKill);
  }
}

/** Kills every process of a group; a group that is gone already is fine. */
export function killGroup(group: ProcessGroup): void {
  try {
    process.kill(-group.id, "SIGKILL");
  } catch {
    // ESRCH: nobody left.
  }
}

function isGroupAlive(group: ProcessGroup): boolean {
  try {
    process.kill(-group.id, 0);
    return true;
  } catch {
    return false;
  }
}
