import { expect, it } from "@jest/globals";
import { describeEachStore } from "./each-store.ts";

describeEachStore("the due queue", (place) => {
  it("gives the most overdue key first, with its hints in the order they came", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 300);
    await store.putDue("run:1:b", 100, ["issue", "comment:7"]);
    await store.putDue("run:1:b", 200, ["comment:7", "push"]);
    const lease = await store.takeDue(1000, 2000);
    expect(lease).toMatchObject({ key: "run:1:b", hints: ["issue", "comment:7", "push"] });
    expect(await store.takeDue(1000, 2000)).toMatchObject({ key: "run:1:a", hints: [] });
    expect(await store.takeDue(1000, 2000)).toBeNull();
  });

  it("gives nothing before its time", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 500);
    expect(await store.takeDue(499, 1000)).toBeNull();
    expect(await store.loadNextDue()).toBe(500);
    expect(await store.takeDue(500, 1000)).toMatchObject({ key: "run:1:a" });
  });

  it("moves a due time forward only", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 500);
    await store.putDue("run:1:a", 900);
    expect(await store.loadNextDue()).toBe(500);
    await store.putDue("run:1:a", 200);
    expect(await store.loadNextDue()).toBe(200);
  });

  it("keeps a hint that arrives again while the key is worked on", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 100, ["push"]);
    const lease = await store.takeDue(100, 1000);
    await store.putDue("run:1:a", 150, ["push", "comment:1"]);
    expect(await store.takeDue(200, 1000)).toBeNull();
    if (lease !== null) await store.releaseLease(lease, null);
    expect(await store.takeDue(200, 1000)).toMatchObject({ hints: ["push", "comment:1"] });
  });

  it("forgets a key that waits for nothing more", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 100, ["push"]);
    const lease = await store.takeDue(100, 1000);
    if (lease !== null) await store.releaseLease(lease, null);
    expect(await store.loadNextDue()).toBeNull();
  });

  it("wakes a key at the earlier of its own wish and what came meanwhile", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 100);
    const lease = await store.takeDue(100, 1000);
    await store.putDue("run:1:a", 700);
    if (lease !== null) await store.releaseLease(lease, 400);
    expect(await store.loadNextDue()).toBe(400);
  });

  it("gives a key whose worker died to another one, with the hints the first never finished", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 100, ["push"]);
    const lost = await store.takeDue(100, 1000);
    await store.putDue("run:1:a", 5000, ["comment:1"]);
    expect(await store.loadNextDue()).toBe(1000);
    const second = await store.takeDue(1000, 2000);
    expect(second).toMatchObject({ key: "run:1:a", hints: ["push", "comment:1"] });
    // The first worker wakes up late: it may change nothing any more.
    expect(lost === null ? null : await store.extendLease(lost, 9000)).toBe(false);
    if (lost !== null) await store.releaseLease(lost, null);
    expect(await store.loadNextDue()).toBe(2000);
    if (second !== null) await store.releaseLease(second, null);
    expect(await store.loadNextDue()).toBe(5000);
  });

  it("keeps a lease that is extended", async () => {
    const store = await place.open();
    await store.putDue("run:1:a", 100);
    const lease = await store.takeDue(100, 1000);
    expect(lease === null ? null : await store.extendLease(lease, 3000)).toBe(true);
    expect(await store.takeDue(2000, 4000)).toBeNull();
  });

  it("never gives one key to two workers", async () => {
    const store = await place.open();
    const other = await place.openAgain();
    for (let n = 0; n < 20; n += 1) await store.putDue(`run:1:${n}`, n);
    const takes = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? store : other).takeDue(1000, 2000));
    const taken = (await Promise.all(takes)).filter((lease) => lease !== null).map((lease) => lease.key);
    // With two instances a poll may find all rows locked by the other and come back empty.
    for (;;) {
      const lease = await store.takeDue(1000, 2000);
      if (lease === null) break;
      taken.push(lease.key);
    }
    expect(taken).toHaveLength(20);
    expect(new Set(taken).size).toBe(20);
  });

  it("loses no hint when many come and go at once", async () => {
    const store = await place.open();
    const other = await place.openAgain();
    const seen = new Set<string>();
    const puts = Array.from({ length: 60 }, (_, n) =>
      (n % 2 === 0 ? store : other).putDue(`run:1:${n % 3}`, 100, [`hint:${n}`]),
    );
    const drain = async (): Promise<void> => {
      for (;;) {
        const lease = await other.takeDue(1000, 2000);
        if (lease === null) return;
        for (const hint of lease.hints) seen.add(hint);
        await other.releaseLease(lease, null);
      }
    };
    await Promise.all([...puts, drain(), drain()]);
    await drain();
    expect(seen.size).toBe(60);
  });
});
