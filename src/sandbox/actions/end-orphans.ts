import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const maxRounds = 20;
const roundMs = 25;

/**
 * Kills the processes that carry `RUNNER_TRACKING_ID=<id>` in their environment, wherever they moved
 * themselves: GitHub's runner cleans up after a job in the same way. Needs /proc; elsewhere only
 * process groups are ended.
 */
export async function endOrphans(trackingId: string): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const orphans = listProcesses(trackingId);
    if (orphans.length === 0) return;
    for (const pid of orphans) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Ended by itself in the meantime.
      }
    }
    // A killed process stays listed until its parent has read its end.
    await delay(roundMs);
  }
}

function listProcesses(trackingId: string): readonly number[] {
  const marker = `RUNNER_TRACKING_ID=${trackingId}`;
  let names: readonly string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names.filter((name) => readEnvironment(name).split("\0").includes(marker)).map(Number);
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    // Another user's process, or gone.
    return "";
  }
}
