import { describe, expect, it, jest } from "@jest/globals";
import nock from "nock";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import { API, expectAt, REPO, setUpStage } from "./github-stage.ts";
import { failureOf, PRIVATE_KEY, TOKEN } from "./stage-parts.ts";

const stage = setUpStage();
const comments = `${REPO}/issues/7/comments`;
const issue = `${REPO}/issues/7`;
const issueData = {
  number: 7,
  title: "T",
  body: null,
  state: "open",
  locked: false,
  labels: [{ name: "taskfleet" }, "old"],
  user: { login: "mona", id: 1, type: "User" },
  html_url: "https://github.com/octo/shop/issues/7",
  updated_at: "2026-01-02T03:04:05Z",
};

describe("a request", () => {
  it("names the API version and carries the installation's token", async () => {
    expectAt(API, { reqheaders: { "x-github-api-version": "2026-03-10", authorization: `token ${TOKEN}` } })
      .get(issue)
      .reply(200, issueData);
    expect(await stage.repository.loadIssue(7)).toEqual({
      number: 7,
      title: "T",
      body: "",
      state: "open",
      locked: false,
      labels: ["taskfleet", "old"],
      author: { login: "mona", id: 1, bot: false },
      pullRequest: false,
      url: "https://github.com/octo/shop/issues/7",
      updatedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    });
  });

  it("falls back to the older API version where the newest is not known", async () => {
    const refusal =
      'The version you specified in the "X-GitHub-API-Version" request header, "2026-03-10", is not a supported version.';
    expectAt(API, { reqheaders: { "x-github-api-version": "2026-03-10" } })
      .get(issue)
      .reply(400, { message: refusal });
    expectAt(API, { reqheaders: { "x-github-api-version": "2022-11-28" } })
      .get(issue)
      .twice()
      .reply(200, issueData);
    await stage.repository.loadIssue(7);
    await stage.repository.loadIssue(7);
  });

  it("that only reads is sent again when the server fails", async () => {
    stage.api.get(issue).twice().reply(502, { message: "Server Error" });
    stage.api.get(issue).reply(200, issueData);
    expect(await stage.repository.loadIssue(7)).toMatchObject({ number: 7 });
    expect(stage.clock.slept).toEqual([500, 1500]);
  });

  it("that creates something is sent once, and its failure says that it may have happened", async () => {
    stage.api.post(comments).reply(502, { message: "Server Error" });
    const failure = await failureOf(stage.repository.createComment(7, "hi"));
    expect(failure).toMatchObject({ kind: "transient", details: { status: 502, ambiguous: true } });
    expect(stage.clock.slept).toEqual([]);
  });

  // A token just minted may be unknown to the machine that answers (octokit/auth-app.js issue 589).
  it("is sent again when a fresh token seems to lack its permissions", async () => {
    const data = { id: 1, html_url: "https://github.com/octo/shop/issues/7#issuecomment-1" };
    stage.api.post(comments).reply(403, { message: "Resource not accessible by integration" });
    stage.api.post(comments).reply(201, data);
    expect(await stage.repository.createComment(7, "hi")).toEqual({ id: 1, url: data.html_url });
  });

  // A cached token lacks what was granted since (github.com/assembledhq/143/pull/665).
  it("carries a new token when the old one has lived its hour", async () => {
    nock.cleanAll();
    const api = expectAt(API);
    // Only the time of day is ours: what waits really waits.
    jest.useFakeTimers({
      doNotFake: [
        "hrtime",
        "nextTick",
        "performance",
        "queueMicrotask",
        "setImmediate",
        "clearImmediate",
        "setInterval",
        "clearInterval",
        "setTimeout",
        "clearTimeout",
      ],
    });
    try {
      const mint = (token: string): void => {
        const expires = new Date(Date.now() + 3_600_000).toISOString();
        api.post("/app/installations/5/access_tokens").reply(201, { token, expires_at: expires, permissions: {} });
        expectAt(API, { reqheaders: { authorization: `token ${token}` } })
          .get(issue)
          .reply(200, issueData);
      };
      mint("ghs_first");
      await stage.repository.loadIssue(7);
      jest.setSystemTime(Date.now() + 61 * 60_000);
      mint("ghs_second");
      await stage.repository.loadIssue(7);
    } finally {
      jest.useRealTimers();
    }
  });

  it("takes a new token when a permission may have been granted since the last one", async () => {
    stage.api.get(issue).reply(200, issueData);
    await stage.repository.loadIssue(7);
    await stage.clock.sleep(10 * 60_000);
    stage.api.post(comments).reply(403, { message: "Resource not accessible by integration" });
    stage.api.post(comments).reply(201, { id: 1, html_url: "" });
    await stage.repository.createComment(7, "hi");
    // Two reads or writes that went well, one that did not, and two tokens.
    expect(stage.port.requests.total).toBe(5);
  });

  it("says which permission is missing when that does not pass", async () => {
    stage.api.post(comments).times(4).reply(403, { message: "Resource not accessible by integration" });
    const failure = await failureOf(stage.repository.createComment(7, "hi"));
    expect(failure).toMatchObject({ kind: "misconfigured", details: { status: 403 } });
    expect(failure.message).toContain("Accept the App's permissions");
  });

  it("that meets a limit is not repeated, and later ones wait for its end", async () => {
    stage.api
      .post(comments)
      .reply(403, { message: "You have exceeded a secondary rate limit" }, { "retry-after": "20" });
    expect(await failureOf(stage.repository.createComment(7, "hi"))).toMatchObject({
      kind: "transient",
      details: { retryAfterMs: 20_000 },
    });
    stage.api.get(issue).reply(200, issueData);
    await stage.repository.loadIssue(7);
    expect(stage.clock.slept).toEqual([20_000]);
  });

  it("would wait too long: it fails at once and says when to come back", async () => {
    const reset = String(Math.ceil(stage.clock.now() / 1000) + 1800);
    stage.api
      .get(issue)
      .reply(403, { message: "API rate limit exceeded" }, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset });
    await failureOf(stage.repository.loadIssue(7));
    const failure = await failureOf(stage.repository.loadIssue(7));
    expect(failure).toMatchObject({ kind: "transient" });
    expect(failure.details?.retryAfterMs).toBeGreaterThan(1_700_000);
    expect(stage.clock.slept).toEqual([]);
  });

  it("counts, those for tokens included, and tells which create content", async () => {
    stage.api.post(comments).reply(201, { id: 1, html_url: "" });
    stage.api.get(issue).reply(200, issueData);
    await stage.repository.createComment(7, "hi");
    await stage.repository.loadIssue(7);
    expect(stage.port.requests).toEqual({ total: 3, contentCreating: 1 });
  });

  it("is told to the log with where it went and how it ended, and nothing else", async () => {
    const entries: unknown[] = [];
    const repository = stage.open({ log: (entry) => entries.push(entry) });
    stage.api.get(issue).reply(502, { message: "Server Error" });
    stage.api.get(issue).reply(200, issueData);
    await repository.loadIssue(7);
    const entry = { route: "GET /repos/{owner}/{repo}/issues/{issue_number}", installation: 5, waitedMs: 0, tookMs: 0 };
    expect(entries).toEqual([
      { ...entry, status: 502, failure: "transient" },
      { ...entry, status: 200, failure: null },
    ]);
  });

  it("that took the last of the hour is the last until the hour is over", async () => {
    const reset = Math.ceil(stage.clock.now() / 1000) + 10;
    const headers = { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${reset}` };
    stage.api.get(issue).reply(200, issueData, headers);
    stage.api.get(issue).reply(200, issueData);
    await stage.repository.loadIssue(7);
    expect(stage.port.budgets.get(5)).toEqual({ limit: 5000, remaining: 0, resetAt: reset * 1000 });
    await stage.repository.loadIssue(7);
    expect(stage.clock.now()).toBeGreaterThan(reset * 1000);
  });

  it("cannot be made with something that is no key", () => {
    expect(() => createGitHubPort({ appId: 7, privateKey: "ghs_secret" })).toThrow("no key in PEM form");
    expect(() => createGitHubPort({ appId: 7, privateKey: PRIVATE_KEY })).not.toThrow();
  });
});

describe("a repository", () => {
  const moved = { id: 99, owner: { login: "hexa" }, name: "store" };

  it("that was renamed is followed by its id, also by effects", async () => {
    stage.api.post(comments).reply(307, {}, { location: `${API}/repositories/99/issues/7/comments` });
    stage.api.get("/repositories/99").reply(200, moved);
    stage.api.post("/repos/hexa/store/issues/7/comments").twice().reply(201, { id: 1, html_url: "" });
    await stage.repository.createComment(7, "hi");
    await stage.repository.createComment(7, "hi");
  });

  it("whose name somebody else has taken is still found", async () => {
    const data = { html_url: "https://github.com/hexa/store", default_branch: "main", archived: false, private: true };
    stage.api.get(REPO).reply(200, { ...data, id: 100, owner: { login: "octo" }, name: "shop" });
    stage.api.get("/repositories/99").reply(200, { ...data, ...moved });
    expect(await stage.repository.loadRepository()).toMatchObject({ id: 99, owner: "hexa", name: "store" });
  });

  it("that is gone makes us dormant, not believe that its issue was deleted", async () => {
    stage.api.get(issue).times(4).reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(404, { message: "Not Found" });
    expect(await failureOf(stage.repository.loadIssue(7))).toMatchObject({ kind: "dormant" });
  });

  it("of a suspended installation makes us dormant", async () => {
    nock.cleanAll();
    expectAt(API)
      .post("/app/installations/5/access_tokens")
      .reply(403, { message: "This installation has been suspended" });
    expect(await failureOf(stage.repository.loadIssue(7))).toMatchObject({ kind: "dormant" });
  });

  it("of a suspended installation does not hold up another one's", async () => {
    nock.cleanAll();
    const api = expectAt(API);
    api.post("/app/installations/5/access_tokens").reply(403, { message: "This installation has been suspended" });
    api.post("/app/installations/6/access_tokens").reply(201, {
      token: TOKEN,
      expires_at: "2099-01-01T00:00:00Z",
      permissions: {},
    });
    api.get("/repos/hexa/store/issues/7").reply(200, issueData);
    const other = stage.port.repository({ id: 100, owner: "hexa", name: "store", installationId: 6 });
    const [refused, loaded] = await Promise.allSettled([stage.repository.loadIssue(7), other.loadIssue(7)]);
    expect([refused.status, loaded.status]).toEqual(["rejected", "fulfilled"]);
  });

  // The webhook comes before every machine has the object (github.com/integrations/slack/issues/496).
  it("may know an issue a little later than its webhook says", async () => {
    stage.api.get(issue).twice().reply(404, { message: "Not Found" });
    stage.api.get(issue).reply(200, issueData);
    expect(await stage.repository.loadIssue(7)).toMatchObject({ number: 7 });
    expect(stage.clock.slept).toEqual([500, 1000]);
  });
});
