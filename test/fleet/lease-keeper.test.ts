import { expect, it } from "@jest/globals";
import { WorkerLoop } from "../../src/fleet/loop/worker-loop.ts";
import type { Store } from "../../src/store/port.ts";
import { ALICE, openDeafPlace } from "./deaf-place.ts";

/** How long GitHub takes for the first thing that is read. */
const READ_MS = 20_000;

/**
 * A label is worked on where the database takes its time to give the key, and does not answer whoever wants to keep it.
 * @returns the runs that were begun within the time of two leases.
 */
async function work(databaseMs: number): Promise<readonly string[]> {
  const place = openDeafPlace();
  const { time, fleet } = place;
  const port = fleet.github.repository(place.ref);
  fleet.github.repository = () => ({
    ...port,
    loadIssue: async (number) => {
      await time.sleep(READ_MS);
      return port.loadIssue(number);
    },
  });
  const store: Store = {
    ...place.store,
    takeDue: async (now, until) => {
      const lease = await place.store.takeDue(now, until);
      if (lease !== null) await time.sleep(databaseMs);
      return lease;
    },
    extendLease: () => new Promise(() => undefined),
  };
  const payload = JSON.stringify(place.label(ALICE));
  await store.putDelivery({ guid: "a", event: "issues", payload, receivedAt: time.now() });
  const loop = new WorkerLoop({ ...fleet, store }, 1, time);
  loop.poke();
  const end = time.now() + 2 * 60_000;
  for (;;) {
    // All that goes on at one moment is driven by promises: when the event loop turns, it is done.
    await new Promise((resolve) => setImmediate(resolve));
    if ((time.peek() ?? end) >= end) break;
    time.step();
  }
  return place.runs();
}

it("a lease is counted from when it was asked for: one the database was slow to give may be somebody else's by now", async () => {
  expect(await work(0)).toEqual(["1-add-search"]);
  expect(await work(50_000)).toEqual([]);
});
