import { expect, it } from "@jest/globals";
import type { Delivery } from "../../src/store/port.ts";
import { describeEachStore } from "./each-store.ts";

const day = 24 * 60 * 60 * 1000;

function delivery(guid: string, receivedAt = 1000): Delivery {
  return { guid, event: "issues", payload: `{"guid":${JSON.stringify(guid)},"text":"für \\u0000 alle"}`, receivedAt };
}

describeEachStore("the inbox", (place) => {
  it("knows a delivery that comes twice, also at the same moment", async () => {
    const store = await place.open();
    const answers = await Promise.all([
      store.putDelivery(delivery("a")),
      store.putDelivery(delivery("a")),
      store.putDelivery(delivery("b")),
    ]);
    expect(answers).toEqual([true, false, true]);
    expect(await store.putDelivery(delivery("b"))).toBe(false);
    expect((await store.loadDeliveries(10)).map(({ guid }) => guid)).toEqual(["a", "b"]);
  });

  it("gives back exactly what was put", async () => {
    const store = await place.open();
    await store.putDelivery(delivery("a", 1234));
    expect(await store.loadDeliveries(1)).toEqual([delivery("a", 1234)]);
  });

  it("routes deliveries to what they make due, once", async () => {
    const store = await place.open();
    for (const guid of ["a", "b", "c"]) await store.putDelivery(delivery(guid));
    await store.routeDeliveries(
      ["a", "b"],
      [
        { key: "run:1:x", hints: ["issue", "push"] },
        { key: "intake:1:7", hints: [] },
      ],
      500,
    );
    expect((await store.loadDeliveries(10)).map(({ guid }) => guid)).toEqual(["c"]);
    expect(await store.loadNextDue()).toBe(500);
    const leases = [await store.takeDue(500, 900), await store.takeDue(500, 900)];
    expect(new Set(leases.map((lease) => lease?.key))).toEqual(new Set(["intake:1:7", "run:1:x"]));
    expect(await store.putDelivery(delivery("a"))).toBe(false);
  });

  it("drops old payloads but recognises their redelivery as long as GitHub may redeliver", async () => {
    const store = await place.open();
    await store.putDelivery(delivery("routed", 0));
    await store.putDelivery(delivery("waiting", 0));
    await store.routeDeliveries(["routed"], [], 10);
    expect(await store.pruneDeliveries(day)).toBe(1);
    expect(await store.pruneDeliveries(day)).toBe(0);
    expect(await store.putDelivery(delivery("routed", day))).toBe(false);
    expect((await store.loadDeliveries(10)).map(({ guid }) => guid)).toEqual(["waiting"]);
    await store.pruneDeliveries(5 * day);
    expect(await store.putDelivery(delivery("routed", 5 * day))).toBe(true);
  });

  it("has every acknowledged delivery of a burst from two instances, each once", async () => {
    const store = await place.open();
    const other = await place.openAgain();
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, n) => (n % 2 === 0 ? store : other).putDelivery(delivery(`g${n % 500}`))),
    );
    expect(answers.filter(Boolean)).toHaveLength(500);
    const guids = (await store.loadDeliveries(1000)).map(({ guid }) => guid);
    expect(new Set(guids).size).toBe(500);
    expect(guids).toHaveLength(500);
  });

  it("still has what it acknowledged when it is opened again", async () => {
    const store = await place.open();
    await store.putDelivery(delivery("a"));
    const again = await place.openAgain();
    expect(await again.loadDeliveries(10)).toHaveLength(1);
  });

  it("finishes what is on its way before it closes", async () => {
    const store = await place.open();
    const again = await place.openAgain();
    const putting = Array.from({ length: 50 }, (_, n) => store.putDelivery(delivery(`g${n}`)));
    await store.close();
    expect(await Promise.all(putting)).toHaveLength(50);
    expect(await again.loadDeliveries(100)).toHaveLength(50);
  });
});
