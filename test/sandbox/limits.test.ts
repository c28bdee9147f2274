import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { RateLimits } from "../../src/sandbox/limits/rate-limits.ts";
import type { RequestCost } from "../../src/sandbox/limits/request-cost.ts";
import { createBranch, readTip } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

const MINUTE = 60_000;
let now = Date.parse("2026-11-30T12:00:00Z");
let world: SandboxWorld;

beforeEach(async () => {
  world = await createWorld({ clock: () => now, limits: "github" });
});
afterEach(() => world.close());

const comment = (issue: number) => world.app.rest.issues.createComment({ ...REPO, issue_number: issue, body: "x" });
const openIssue = async () =>
  (await world.as(world.tokens.writer).rest.issues.create({ ...REPO, title: "x" })).data.number;

// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
describe("rate limits", () => {
  it("allow 80 writes people see a minute, say when to come back, and keep their word", async () => {
    const issue = await openIssue();
    for (let n = 0; n < 80; n += 1) await comment(issue);
    const error = await comment(issue).catch(
      (reason: { status: number; response: { headers: Record<string, string> } }) => reason,
    );
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining("secondary rate limit") });
    const wait = Number((error as { response: { headers: Record<string, string> } }).response.headers["retry-after"]);
    expect(wait).toBe(60);
    // Git data and reads are not concerned, other callers neither.
    await createBranch(world.app, "free", { "x.txt": "x" });
    await world.as(world.tokens.writer).rest.issues.createComment({ ...REPO, issue_number: issue, body: "x" });
    now += wait * 1000;
    await comment(issue);
  });

  it("show in every answer what is left of 5,000 requests an hour", async () => {
    const { headers } = await world.app.rest.repos.get(REPO);
    expect(headers).toMatchObject({
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "4999",
      "x-ratelimit-used": "1",
    });
  });

  // https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
  it("do not count answers that have not changed", async () => {
    const first = await world.app.rest.repos.get(REPO);
    const etag = first.headers.etag ?? "";
    const again = world.app.rest.repos.get({ ...REPO, headers: { "if-none-match": etag } });
    await expect(again).rejects.toMatchObject({ status: 304 });
    const { data } = await world.app.rest.rateLimit.get();
    expect(data.resources.core.used).toBe(1);
    expect(world.sandbox.requests.app).toMatchObject({ notModified: 1 });
  });
});

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

it("counts the App's requests by route, apart from everybody else's", async () => {
  const issue = await openIssue();
  await comment(issue);
  await createBranch(world.app, "counted/branch", { "x.txt": "x" });
  const { app, all } = world.sandbox.requests;
  expect(app.contentCreating).toBe(1);
  expect(app.byRoute).toMatchObject({
    "POST /repos/{owner}/{repo}/issues/{id}/comments": 1,
    "GET /repos/{owner}/{repo}/git/ref/{name}": 1,
    "POST /repos/{owner}/{repo}/git/refs": 1,
  });
  expect(all.total - app.total).toBe(1);
});
