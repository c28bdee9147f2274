/** The program of the process that starts git; it ends when the one that asks it lets go or is gone. */
import type { HostAnswer, HostRequest } from "./git-host.ts";
import { spawnGit } from "./spawn-git.ts";

process.on("message", (message) => void answer(message as HostRequest));

async function answer({ id, call }: HostRequest): Promise<void> {
  try {
    send({ id, result: await spawnGit(call) });
  } catch (error) {
    send({ id, problem: error instanceof Error ? error.message : String(error) });
  }
}

function send(message: HostAnswer): void {
  // Nobody may be left to hear it.
  if (process.connected) process.send?.(message, () => undefined);
}
