/**
 * The Probot function: a verified delivery is stored, then acknowledged, then worked on. Nothing is
 * decided while GitHub waits for the answer.
 */
import type { Probot } from "probot";
import type { Fleet } from "./context.ts";
import type { WorkerLoop } from "./worker-loop.ts";

export function createApp(
  fleet: Pick<Fleet, "store" | "clock" | "log">,
  loop: Pick<WorkerLoop, "poke">,
): (probot: Probot) => void {
  return (probot) => {
    // @octokit/webhooks has verified the signature before it calls this.
    probot.onAny(async (event) => {
      const fresh = await fleet.store.putDelivery({
        guid: event.id,
        event: event.name,
        payload: JSON.stringify(event.payload),
        receivedAt: fleet.clock.now(),
      });
      fleet.log.debug({ delivery: event.id, event: event.name, fresh }, "a delivery is stored");
      if (fresh) loop.poke();
    });
  };
}
