import { describe, expect, it } from "@jest/globals";
import { RateLimits } from "../../src/sandbox/limits/rate-limits.ts";
import type { RequestCost } from "../../src/sandbox/limits/request-cost.ts";

const MINUTE = 60_000;
let now = Date.parse("2026-11-30T12:00:00Z");

// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
describe("the limits of an hour", () => {
  const actor = {
    kind: "installation",
    account: { id: 1, login: "taskfleet[bot]", type: "Bot" },
    installationId: 7,
    permissions: {},
    repositoryIds: null,
  } as const;
  const read = { points: 1, contentCreating: false };
  const write = { points: 5, contentCreating: true };
  /** Sends requests evenly over an hour's minutes, as fast as the limits of a minute allow. */
  const send = (limits: RateLimits, cost: RequestCost, count: number, perMinute: number) => {
    for (let n = 0; n < count; n += 1) {
      if (n % perMinute === 0) now += MINUTE;
      limits.admit(actor, cost)({ free: false });
    }
    now += MINUTE;
  };

  it("are 500 writes people see, in any hour", () => {
    const limits = new RateLimits({ limits: "github", now: () => now });
    send(limits, write, 500, 80);
    expect(() => limits.admit(actor, write)).toThrow("secondary rate limit");
    expect(() => limits.admit(actor, read)({ free: false })).not.toThrow();
    now += 60 * MINUTE;
    expect(() => limits.admit(actor, write)({ free: false })).not.toThrow();
  });

  it("are 5,000 requests, counted from the first one", () => {
    const limits = new RateLimits({ limits: "github", now: () => now });
    send(limits, read, 5000, 800);
    expect(() => limits.admit(actor, read)).toThrow("API rate limit exceeded for installation ID 7.");
    expect(limits.status(actor)).toMatchObject({ remaining: 0, used: 5000 });
    now = limits.status(actor).reset * 1000;
    expect(() => limits.admit(actor, read)({ free: false })).not.toThrow();
  });

  it("are a hundred requests at the same time", () => {
    const limits = new RateLimits({ limits: "github", now: () => now });
    const ends = Array.from({ length: 100 }, () => limits.admit(actor, read));
    expect(() => limits.admit(actor, read)).toThrow("secondary rate limit");
    ends[0]?.({ free: false });
    expect(() => limits.admit(actor, read)).not.toThrow();
  });

  it("are not enforced when they are off", () => {
    const limits = new RateLimits({ limits: "off", now: () => now });
    expect(() => send(limits, write, 1000, 1000)).not.toThrow();
  });
});
