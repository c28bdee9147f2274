/** Ends an untrusted child that leads a process group of its own (`detached`), and with it all of the group. */
import type { ChildProcess } from "node:child_process";

export interface GroupLimits {
  readonly timeoutMs: number;
  /** How long it may take to end after SIGTERM, in milliseconds. */
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface GroupEnd<Reason extends string> {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was stopped; null when it ended by itself. The first reason counts. */
  readonly stopped: Reason | "timed-out" | "cancelled" | null;
}

/** How long a descendant that left the group may hold the pipes open. */
const PIPE_GRACE_MS = 2000;

/**
 * @param onClose is called once, when the child has ended and its pipes are closed.
 * @returns stops it for a reason of the caller's own.
 */
export function guardGroup<Reason extends string = never>(
  child: ChildProcess,
  { timeoutMs, graceMs, signal: abort }: GroupLimits,
  onClose: (end: GroupEnd<Reason>) => void,
): (reason: Reason) => void {
  let stopped: GroupEnd<Reason>["stopped"] = null;
  let forced: NodeJS.Timeout | undefined;
  let pipes: NodeJS.Timeout | undefined;
  const stop = (reason: NonNullable<typeof stopped>): void => {
    if (stopped !== null) return;
    stopped = reason;
    killGroup(child, "SIGTERM");
    forced = setTimeout(() => killGroup(child, "SIGKILL"), graceMs);
  };
  const onAbort = (): void => stop("cancelled");
  const limit = setTimeout(() => stop("timed-out"), timeoutMs);
  child.on("exit", () => {
    clearTimeout(limit);
    // What it left running in its group ends with it.
    killGroup(child, "SIGKILL");
    pipes = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, PIPE_GRACE_MS);
  });
  child.on("close", (exit, signal) => {
    for (const timer of [limit, forced, pipes]) clearTimeout(timer);
    abort?.removeEventListener("abort", onAbort);
    onClose({ exit, signal, stopped });
  });
  abort?.addEventListener("abort", onAbort, { once: true });
  if (abort?.aborted === true) onAbort();
  return stop;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is already gone.
  }
}
