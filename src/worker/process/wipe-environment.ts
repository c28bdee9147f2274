/**
 * Takes the environment this process was started with out of `/proc/PID/environ`. That file shows the memory
 * the kernel filled at the start, to every process of the same user, whatever was deleted since
 * (man7.org/linux/man-pages/man5/proc_pid_environ.5.html); forbidding new privileges does not close it.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** By this variable the runner finds what a job left running; it is no secret. */
const kept = "RUNNER_TRACKING_ID=";

/** Places of the two addresses behind the program's name, counted from the third field: proc_pid_stat(5). */
const startField = 50 - 3;
const endField = 51 - 3;

/**
 * What `env` still holds stays readable for this process and moves to memory that no file shows.
 *
 * @param env this process's own.
 * @returns whether nothing can be read any more. `no`: there is no /proc (macOS, Windows), or it may not be written.
 */
export function wipeEnvironment(env: NodeJS.ProcessEnv): "wiped" | "no" {
  try {
    const block = readFileSync("/proc/self/environ");
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const start = Number(fields[startField]);
    if (Number(fields[endField]) - start !== block.length) return "no";
    // A variable that is set again gets memory of its own; only then may the old one go.
    for (const [name, value] of Object.entries(env)) env[name] = value;
    const file = openSync("/proc/self/mem", "r+");
    try {
      writeSync(file, blank(block), 0, block.length, start);
    } finally {
      closeSync(file);
    }
    return readFileSync("/proc/self/environ").equals(blank(block)) ? "wiped" : "no";
  } catch {
    return "no";
  }
}

function blank(block: Buffer): Buffer {
  const bare = Buffer.alloc(block.length);
  let at = 0;
  while (at < block.length) {
    const zero = block.indexOf(0, at);
    const end = zero === -1 ? block.length : zero;
    if (block.subarray(at, at + kept.length).equals(Buffer.from(kept))) block.copy(bare, at, at, end);
    at = end + 1;
  }
  return bare;
}
