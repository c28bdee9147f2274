import { describe, expect, it } from "@jest/globals";
import { openStore } from "../../src/store/open-store.ts";

describe("the inbox", () => {
  it("hands out large payloads a few at a time, but every one of them", async () => {
    const store = await openStore({ file: ":memory:" });
    const large = "x".repeat(12 * 1024 * 1024);
    for (const guid of ["a", "b", "c", "d"]) {
      await store.putDelivery({ guid, event: "push", payload: guid === "d" ? large.repeat(3) : large, receivedAt: 1 });
    }
    const seen: string[][] = [];
    for (;;) {
      const guids = (await store.loadDeliveries(100)).map(({ guid }) => guid);
      if (guids.length === 0) break;
      seen.push(guids);
      await store.routeDeliveries(guids, [], 2);
    }
    expect(seen).toEqual([["a", "b"], ["c"], ["d"]]);
    await store.close();
  });
});
