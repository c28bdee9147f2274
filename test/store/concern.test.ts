import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Delivery, Store } from "../../src/store/port.ts";

let store: Store;

beforeEach(async () => {
  store = await openStore({ file: ":memory:" });
});

afterEach(() => store.close());

function delivery(guid: string): Delivery {
  return { guid, event: "status", payload: `{"guid":"${guid}"}`, receivedAt: 1 };
}

describe("a delivery", () => {
  it("that concerns nobody leaves nothing to route, and is recognised all the same", async () => {
    const answers = await Promise.all([
      store.putDelivery(delivery("nobody"), "nothing"),
      store.putDelivery(delivery("somebody"), "anything"),
    ]);
    expect(answers).toEqual([true, true]);
    expect(await store.loadDeliveries(10)).toEqual([delivery("somebody")]);
    expect(await store.putDelivery(delivery("nobody"))).toBe(false);
  });

  it("that may concern the open runs of a repository is kept where there are some", async () => {
    const run = { installationId: 1, owner: "octo", name: "shop", issue: 1, createdAt: 1 };
    await store.createRun({ ...run, repositoryId: 5, runKey: parseRunKey("1-open"), status: "open" }, []);
    await store.createRun({ ...run, repositoryId: 6, runKey: parseRunKey("1-over"), status: "closed" }, []);
    await Promise.all([5, 6, 7].map((openRunsOf) => store.putDelivery(delivery(`of-${openRunsOf}`), { openRunsOf })));
    expect(await store.loadDeliveries(10)).toEqual([delivery("of-5")]);
    expect(await store.putDelivery(delivery("of-7"), { openRunsOf: 5 })).toBe(false);
  });
});
