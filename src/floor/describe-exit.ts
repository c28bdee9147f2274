import type { CommandCapture } from "../contracts/captures.ts";

/** How a command ended, in a few words: `exit 1`, `timed out`, `killed by SIGSEGV`, … */
export function describeExit(capture: CommandCapture): string {
  if (capture.spawnError !== null) return `not started: ${capture.spawnError}`;
  if (capture.timedOut) return `timed out after ${Math.round(capture.durationMs / 1000)} s`;
  if (capture.signal !== null) return `killed by ${capture.signal}`;
  if (capture.exit === null) return "ended without an exit status";
  return `exit ${capture.exit}`;
}

/** True iff the process ended by itself with this status: a signal, a timeout or a failed start never match. */
export function exitedWith(capture: CommandCapture, status: number): boolean {
  return capture.spawnError === null && !capture.timedOut && capture.signal === null && capture.exit === status;
}

/** The last lines of a command's output, for a hint. */
export function tailOutput(capture: CommandCapture, lines = 5): string {
  return capture.output.trimEnd().split("\n").slice(-lines).join("\n").slice(-1000);
}
