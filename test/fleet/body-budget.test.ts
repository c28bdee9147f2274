import { describe, expect, it } from "@jest/globals";
import { array, assert, asyncProperty, integer } from "fast-check";
import { BodyBudget } from "../../src/fleet/inbox/body-budget.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("the room for bodies", () => {
  it("is given in the order of asking, also when a smaller one would fit", async () => {
    const budget = new BodyBudget(100);
    const order: number[] = [];
    const shares = [0, 1, 2, 3].map(() => budget.open());
    const grow = async (name: number, bytes: number) => {
      if (await shares[name]?.grow(bytes)) order.push(name);
    };
    await grow(0, 80);
    // The first one that does not fit goes on all the same: somebody has to come to an end.
    void grow(1, 60);
    void grow(2, 50);
    void grow(3, 10);
    await settle();
    expect(order).toEqual([0, 1]);
    shares[0]?.close();
    await settle();
    expect(order).toEqual([0, 1]);
    shares[1]?.close();
    await settle();
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it("is not taken by who has sent nothing", async () => {
    const budget = new BodyBudget(100);
    for (let n = 0; n < 1000; n += 1) budget.open();
    expect(await budget.open().grow(100)).toBe(true);
  });

  it("is not waited for by who is gone", async () => {
    const budget = new BodyBudget(100);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    await first.grow(100);
    await second.grow(1);
    const waits = third.grow(1);
    third.close();
    expect(await waits).toBe(false);
    expect(await third.grow(1)).toBe(false);
  });

  it("is overdrawn by one body at most, and every body comes to its end", async () => {
    await assert(
      asyncProperty(array(array(integer({ min: 1, max: 40 }), { maxLength: 6 }), { maxLength: 20 }), async (bodies) => {
        const budget = new BodyBudget(100);
        const held = new Map<number, number>();
        let most = 0;
        await Promise.all(
          bodies.map(async (chunks, index) => {
            const share = budget.open();
            for (const bytes of chunks) {
              await share.grow(bytes);
              held.set(index, (held.get(index) ?? 0) + bytes);
              const sizes = [...held.values()];
              most = Math.max(most, sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes));
              await settle();
            }
            held.delete(index);
            share.close();
            share.close();
          }),
        );
        expect(most).toBeLessThanOrEqual(100);
      }),
    );
  });
});
