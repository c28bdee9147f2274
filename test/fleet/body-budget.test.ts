import { describe, expect, it } from "@jest/globals";
import { array, assert, asyncProperty, integer } from "fast-check";
import { BodyBudget } from "../../src/fleet/inbox/body-budget.ts";

/** Asks, and tells when the room was given. */
function ask(budget: BodyBudget, bytes: number, order: number[], name: number): Promise<() => void> {
  return budget.take(bytes).then((release) => {
    order.push(name);
    return release;
  });
}

describe("the room for bodies", () => {
  it("is given in the order of asking, also when a smaller one would fit", async () => {
    const budget = new BodyBudget(100);
    const order: number[] = [];
    const first = await ask(budget, 80, order, 1);
    const second = ask(budget, 60, order, 2);
    const third = ask(budget, 10, order, 3);
    await Promise.resolve();
    expect(order).toEqual([1]);
    first();
    await Promise.all([second, third]);
    expect(order).toEqual([1, 2, 3]);
  });

  it("is given as a whole to what is larger than all of it", async () => {
    const budget = new BodyBudget(100);
    const order: number[] = [];
    const first = await ask(budget, 10, order, 1);
    const large = ask(budget, 500, order, 2);
    const after = ask(budget, 10, order, 3);
    first();
    const release = await large;
    expect(order).toEqual([1, 2]);
    release();
    await after;
    expect(order).toEqual([1, 2, 3]);
  });

  it("is never overdrawn, and whoever asks gets it in the end", async () => {
    await assert(
      asyncProperty(array(integer({ min: 0, max: 150 }), { maxLength: 40 }), async (sizes) => {
        const budget = new BodyBudget(100);
        const held = new Map<number, number>();
        let most = 0;
        await Promise.all(
          sizes.map(async (bytes, index) => {
            const release = await budget.take(bytes);
            held.set(index, bytes);
            const sum = [...held.values()].reduce((total, size) => total + size, 0);
            if (held.size > 1 && [...held.values()].filter((size) => size > 0).length > 1) most = Math.max(most, sum);
            await new Promise((resolve) => setImmediate(resolve));
            held.delete(index);
            release();
            release();
          }),
        );
        expect(most).toBeLessThanOrEqual(100);
      }),
    );
  });
});
