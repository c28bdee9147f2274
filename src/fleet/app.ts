/**
 * The Probot function: a verified delivery is stored, then acknowledged, then worked on. Nothing is
 * decided while GitHub waits for the answer.
 */
import type { Probot } from "probot";
import type { Store } from "../store/port.ts";
import type { Fleet } from "./context.ts";
import type { WorkerLoop } from "./worker-loop.ts";

export interface Receiving extends Pick<Fleet, "clock" | "log" | "meter"> {
  readonly store: Pick<Store, "putDelivery">;
}

export function createApp(fleet: Receiving, loop: Pick<WorkerLoop, "poke">): (probot: Probot) => void {
  return (probot) => {
    // @octokit/webhooks has verified the signature before it calls this.
    probot.onAny(async (event) => {
      const receivedAt = fleet.clock.now();
      const fresh = await fleet.store.putDelivery({
        guid: event.id,
        event: event.name,
        payload: JSON.stringify(event.payload),
        receivedAt,
      });
      fleet.meter?.delivery(event.name, fresh, fleet.clock.now() - receivedAt);
      fleet.log.debug({ delivery: event.id, event: event.name, fresh }, "a delivery is stored");
      if (fresh) loop.poke();
    });
  };
}
