import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { bookCost, type Spent } from "../../src/store/budget-window.ts";
import { describeEachStore } from "./each-store.ts";

describe("a sliding window", () => {
  const window = { limit: 10, periodMs: 6000 };

  it("never lets more than the limit pass in any stretch of one period", () => {
    const spendings = fc.array(
      fc.record({ cost: fc.integer({ min: 1, max: 12 }), pause: fc.integer({ min: 0, max: 4000 }) }),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(spendings, (list) => {
        let spent: Spent = { slots: [] };
        let now = 0;
        const passed: Array<{ at: number; cost: number }> = [];
        for (const { cost, pause } of list) {
          now += pause;
          const booking = bookCost(spent, window, cost, now);
          spent = booking.spent;
          expect(booking.at).toBeGreaterThanOrEqual(now);
          passed.push({ at: booking.at, cost: Math.min(cost, window.limit) });
        }
        for (const { at: start } of passed) {
          const sum = passed
            .filter(({ at }) => at >= start && at < start + window.periodMs)
            .reduce((total, { cost }) => total + cost, 0);
          expect(sum).toBeLessThanOrEqual(window.limit);
        }
      }),
    );
  });

  it("lets the whole limit pass at once and the next one a period later", () => {
    let spent: Spent = { slots: [] };
    for (let n = 0; n < 10; n += 1) {
      const booking = bookCost(spent, window, 1, 1000);
      spent = booking.spent;
      expect(booking.at).toBe(1000);
    }
    const { at } = bookCost(spent, window, 1, 1000);
    expect(at).toBeGreaterThan(1000 + window.periodMs - 100);
    expect(at).toBeLessThanOrEqual(1000 + window.periodMs + 200);
  });

  it("forgets what lies behind", () => {
    let spent: Spent = { slots: [] };
    for (let n = 0; n < 1000; n += 1) spent = bookCost(spent, window, 1, n * 1000).spent;
    expect(spent.slots.length).toBeLessThanOrEqual(62);
  });
});

describeEachStore("the budget", (place) => {
  it("is one for all instances", async () => {
    const store = await place.open();
    const other = await place.openAgain();
    const window = { key: "content:5", limit: 8, periodMs: 60_000 };
    const times = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? store : other).spend(window, 1, 1_000_000)),
    );
    expect(times.filter((at) => at === 1_000_000)).toHaveLength(8);
    expect(times.filter((at) => at >= 1_059_000)).toHaveLength(4);
    expect(await store.spend({ ...window, key: "content:6" }, 1, 1_000_000)).toBe(1_000_000);
  });
});
