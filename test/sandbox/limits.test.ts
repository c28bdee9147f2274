import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createBranch } from "./make-commits.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

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
