/**
 * A verified delivery is stored, then acknowledged, then worked on. Nothing is decided while GitHub waits
 * for the answer.
 */
import type { Concern, Store } from "../../store/port.ts";
import type { Fleet } from "../context.ts";
import { type Route, routeDelivery } from "./route-delivery.ts";
import type { WorkerLoop } from "../loop/worker-loop.ts";

export interface ReceivedDelivery {
  /** X-GitHub-Delivery */
  readonly guid: string;
  readonly event: string;
  /** The body as it was signed: it is stored as it came. */
  readonly text: string;
  /** The same, parsed. */
  readonly payload: unknown;
}

/** Resolves when the delivery may be acknowledged. @throws StoreFailure */
export type Receive = (delivery: ReceivedDelivery) => Promise<void>;

export interface Receiving extends Pick<Fleet, "clock" | "log" | "meter"> {
  readonly store: Pick<Store, "putDelivery">;
}

export function createReceive(fleet: Receiving, loop: Pick<WorkerLoop, "poke">): Receive {
  return async ({ guid, event, text, payload }) => {
    const receivedAt = fleet.clock.now();
    // Most of what happens in a repository is no business of ours.
    const concern = deriveConcern(routeDelivery(event, payload, guid));
    const fresh = await fleet.store.putDelivery({ guid, event, payload: text, receivedAt }, concern);
    fleet.meter?.delivery(event, fresh, fleet.clock.now() - receivedAt);
    fleet.log.debug({ delivery: guid, event, fresh, concern }, "a delivery is stored");
    if (fresh && concern !== "nothing") loop.poke();
  };
}

function deriveConcern(routes: readonly Route[]): Concern {
  const [first] = routes;
  if (first === undefined) return "nothing";
  const sameRepository = (route: Route): boolean =>
    route.to === "repository" && first.to === "repository" && route.repository.id === first.repository.id;
  return first.to === "repository" && routes.every(sameRepository) ? { openRunsOf: first.repository.id } : "anything";
}
