import { describe, expect, it } from "@jest/globals";
import type { Clock } from "../../src/github/clock.ts";
import { createGovernor, type Governor } from "../../src/github/governor.ts";
import type { Demand, Spend } from "../../src/github/governor-terms.ts";
import { withPriority } from "../../src/github/priority.ts";
import { openStore } from "../../src/store/open-store.ts";
import { REPO, setUpStage } from "./github-stage.ts";

/** A clock whose sleepers wake in order when the test lets time pass. */
function createVirtualClock(): Clock & { run(until: number): Promise<void> } {
  let now = 0;
  const sleepers: Array<{ at: number; wake: () => void }> = [];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
    async run(until) {
      for (;;) {
        await settle();
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers[0];
        if (next === undefined || next.at > until) break;
        sleepers.shift();
        now = Math.max(now, next.at);
        next.wake();
      }
      now = until;
    },
  };
}

const minute = 60_000;

/** A window as simple as can be: full for a minute from its first spending. */
function createSpend(): Spend {
  const windows = new Map<string, number[]>();
  return async ({ key, limit, periodMs }, cost, now) => {
    const spent = windows.get(key) ?? [];
    windows.set(key, spent);
    let at = now;
    for (let unit = 0; unit < cost; unit += 1) {
      const blocking = spent[spent.length - limit];
      if (blocking !== undefined) at = Math.max(at, blocking + periodMs);
      spent.push(at);
    }
    return at;
  };
}

function start(
  governor: Governor,
  clock: Clock,
  demands: ReadonlyArray<{ readonly name: string } & Demand>,
): {
  readonly sent: Array<readonly [name: string, at: number]>;
  readonly failed: string[];
  readonly done: Promise<unknown>;
} {
  const sent: Array<readonly [string, number]> = [];
  const failed: string[] = [];
  const done = Promise.all(
    demands.map(({ name, ...demand }) =>
      governor
        .run(5, demand, async () => {
          sent.push([name, clock.now()]);
        })
        .catch(() => failed.push(name)),
    ),
  );
  return { sent, failed, done };
}

const content = (name: string, priority: Demand["priority"] = "dispatch") =>
  ({ name, cost: "content", priority }) as const;

describe("the governor", () => {
  it("lets eighty writes of content pass in a minute, and the rest in the next", async () => {
    const clock = createVirtualClock();
    const governor = createGovernor({ spend: createSpend(), clock, maxWaitMs: 10 * minute, maxConcurrent: 25 });
    const { sent, done } = start(
      governor,
      clock,
      Array.from({ length: 200 }, (_, n) => content(`c${n}`)),
    );
    await clock.run(10 * minute);
    await done;
    for (const [, begin] of sent) {
      expect(sent.filter(([, at]) => at >= begin && at < begin + minute).length).toBeLessThanOrEqual(80);
    }
    expect(Math.max(...sent.map(([, at]) => at))).toBeLessThan(3 * minute);
  });

  it("lets a landing that comes last go before everything that waits", async () => {
    const clock = createVirtualClock();
    const governor = createGovernor({ spend: createSpend(), clock, maxWaitMs: 10 * minute, maxConcurrent: 25 });
    const many = start(
      governor,
      clock,
      Array.from({ length: 90 }, (_, n) => content(`c${n}`, "cosmetic")),
    );
    await clock.run(minute / 2);
    const late = start(governor, clock, [content("dispatch"), content("landing", "landing")]);
    await clock.run(5 * minute);
    await Promise.all([many.done, late.done]);
    const [dispatch, landing] = [late.sent.find(([name]) => name === "dispatch"), late.sent[0]];
    expect(landing?.[0]).toBe("landing");
    const waiting = many.sent.slice(80);
    expect(waiting).toHaveLength(10);
    expect(waiting.every(([, at]) => at >= (dispatch?.[1] ?? Infinity))).toBe(true);
  });

  it("does not let reads wait for content", async () => {
    const clock = createVirtualClock();
    const governor = createGovernor({ spend: createSpend(), clock, maxWaitMs: 10 * minute, maxConcurrent: 25 });
    const writes = start(
      governor,
      clock,
      Array.from({ length: 100 }, (_, n) => content(`c${n}`)),
    );
    await clock.run(1000);
    const reads = start(governor, clock, [{ name: "read", cost: "read", priority: "dispatch" }]);
    await clock.run(2000);
    expect(reads.sent).toHaveLength(1);
    expect(writes.sent).toHaveLength(80);
    await clock.run(5 * minute);
    await Promise.all([writes.done, reads.done]);
  });

  it("fails what would wait too long at once, with the time to come back", async () => {
    const clock = createVirtualClock();
    const governor = createGovernor({ spend: createSpend(), clock, maxWaitMs: 10_000, maxConcurrent: 25 });
    const { sent, failed, done } = start(
      governor,
      clock,
      Array.from({ length: 85 }, (_, n) => content(`c${n}`)),
    );
    await clock.run(100);
    await done;
    expect(sent).toHaveLength(80);
    expect(failed).toHaveLength(5);
    await expect(governor.run(5, content("late"), async () => "sent")).rejects.toMatchObject({
      kind: "transient",
      details: { retryAfterMs: expect.any(Number) },
    });
  });

  it("knows when there is room again for the kind of request that was refused", async () => {
    const clock = createVirtualClock();
    const governor = createGovernor({ spend: createSpend(), clock, maxWaitMs: 10_000, maxConcurrent: 25 });
    expect(governor.opensAt(5, "content")).toBeLessThanOrEqual(0);
    const { failed, done } = start(
      governor,
      clock,
      Array.from({ length: 81 }, (_, n) => content(`c${n}`)),
    );
    await clock.run(100);
    await done;
    expect(failed).toHaveLength(1);
    const at = governor.opensAt(5, "content");
    expect(at).toBeGreaterThan(minute);
    expect([governor.opensAt(5, "read"), governor.opensAt(6, "content")]).toEqual([0, 0]);
    await clock.run(at);
    // It was true: what comes then goes at once.
    const late = start(governor, clock, [content("late")]);
    await clock.run(at);
    expect(late.sent).toEqual([["late", at]]);
    governor.pause(5, at + minute);
    expect(governor.opensAt(5, "read")).toBe(at + minute);
  });

  it("keeps no more requests under way than it may, also when they fail", async () => {
    const clock = createVirtualClock();
    const governor = createGovernor({ clock, maxWaitMs: minute, maxConcurrent: 3 });
    let underWay = 0;
    let most = 0;
    const runs = Array.from({ length: 20 }, (_, n) =>
      governor
        .run(5, { cost: n % 2 === 0 ? "read" : "write", priority: "dispatch" }, async () => {
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise((resolve) => setImmediate(resolve));
          underWay -= 1;
          if (n % 3 === 0) throw new Error("refused");
        })
        .catch(() => undefined),
    );
    await Promise.all(runs);
    expect(most).toBe(3);
  });

  it("holds everything of an installation, and nothing of another, while GitHub said stop", async () => {
    const clock = createVirtualClock();
    const governor = createGovernor({ clock, maxWaitMs: 10 * minute, maxConcurrent: 25 });
    governor.pause(5, 30_000);
    const { sent, done } = start(governor, clock, [content("a"), { name: "b", cost: "read", priority: "dispatch" }]);
    await governor.run(6, content("other"), async () => sent.push(["other", clock.now()]));
    await clock.run(minute);
    await done;
    expect(sent).toEqual([
      ["other", 0],
      ["a", 30_000],
      ["b", 30_000],
    ]);
  });

  it("sends nothing when the shared window cannot be reached", async () => {
    const clock = createVirtualClock();
    const spend: Spend = () => Promise.reject(new Error("the database is locked"));
    const governor = createGovernor({ spend, clock, maxWaitMs: minute, maxConcurrent: 25 });
    let sent = false;
    const running = governor.run(5, content("a"), async () => {
      sent = true;
    });
    await expect(running).rejects.toThrow("the database is locked");
    expect(sent).toBe(false);
  });

  it("is one for two instances over one store", async () => {
    const clock = createVirtualClock();
    const store = await openStore({ file: ":memory:" });
    const spend: Spend = (window, cost, now) => store.spend(window, cost, now);
    const options = { spend, clock, maxWaitMs: 10 * minute, maxConcurrent: 25 };
    const first = start(
      createGovernor(options),
      clock,
      Array.from({ length: 70 }, (_, n) => content(`a${n}`)),
    );
    const second = start(
      createGovernor(options),
      clock,
      Array.from({ length: 70 }, (_, n) => content(`b${n}`)),
    );
    await clock.run(10 * minute);
    await Promise.all([first.done, second.done]);
    const times = [...first.sent, ...second.sent].map(([, at]) => at);
    expect(times.filter((at) => at < minute)).toHaveLength(80);
    await store.close();
  });
});

describe("the priority of a request", () => {
  const stage = setUpStage();

  it("can be raised for everything that is done inside", async () => {
    const order: string[] = [];
    const repository = stage.open({ maxConcurrent: 1 });
    const comment = (name: string) =>
      stage.api.post(`${REPO}/issues/7/comments`, { body: name }).reply(201, () => {
        order.push(name);
        return { id: 1, html_url: "" };
      });
    for (const name of ["first", "second", "landing"]) comment(name);
    await Promise.all([
      repository.createComment(7, "first"),
      repository.createComment(7, "second"),
      withPriority("landing", () => repository.createComment(7, "landing")),
    ]);
    expect(order.indexOf("landing")).toBeLessThan(order.indexOf("second"));
  });
});
