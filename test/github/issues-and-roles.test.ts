import { describe, expect, it } from "@jest/globals";
import { REPO, setUpStage } from "./github-stage.ts";
import { failureOf, sha } from "./stage-parts.ts";

const stage = setUpStage();

describe("comments", () => {
  const comments = `${REPO}/issues/7/comments`;
  const data = (id: number, user: object | null) => ({
    id,
    body: "text",
    user,
    created_at: "2026-11-30T12:00:00Z",
    updated_at: "2026-11-30T12:00:00Z",
    html_url: "u",
  });

  it("say whether they were edited", async () => {
    const mona = { login: "mona", id: 4, type: "User" };
    const edited = { ...data(2, mona), updated_at: "2026-11-30T12:00:07Z" };
    stage.api.get("/app").optionally().reply(200, { id: 7, slug: "taskfleet" });
    stage.api
      .get(comments)
      .query(true)
      .reply(200, [data(1, mona), edited, { ...data(3, mona), updated_at: "2026-11-30T12:00:01Z" }]);
    // The second that GitHub's own clock may go on while it stores a comment is no edit.
    expect((await stage.repository.loadComments(7)).map((comment) => comment.edited)).toEqual([false, true, false]);
  });

  it("are ours only when our App's bot account wrote them", async () => {
    stage.api.get("/app").reply(200, { id: 7, slug: "taskfleet" });
    stage.api
      .get(comments)
      .query(true)
      .reply(200, [
        data(3, { login: "taskfleet[bot]", id: 2, type: "Bot" }),
        data(1, { login: "taskfleet", id: 4, type: "User" }),
        data(2, { login: "other[bot]", id: 5, type: "Bot" }),
      ]);
    const loaded = await stage.repository.loadComments(7);
    expect(loaded.map(({ id, own, author }) => [id, own, author.bot])).toEqual([
      [1, false, false],
      [2, false, true],
      [3, true, true],
    ]);
  });

  it("are asked for from a time on", async () => {
    stage.api.get(comments).query({ since: "2026-11-30T12:00:00.000Z", per_page: 100, page: 1 }).reply(200, []);
    expect(await stage.repository.loadComments(7, Date.parse("2026-11-30T12:00:00Z"))).toEqual([]);
  });

  it("on a locked conversation are refused for good", async () => {
    stage.api.post(comments).reply(403, { message: "Unable to create comment because issue is locked." });
    expect(await failureOf(stage.repository.createComment(7, "hi"))).toMatchObject({ kind: "terminal" });
  });

  it("that somebody deleted cannot be edited: the world has moved", async () => {
    stage.api.patch(`${REPO}/issues/comments/1`).reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    expect(await failureOf(stage.repository.updateComment(1, "new"))).toMatchObject({ kind: "conflict" });
  });
});

describe("an issue", () => {
  it("that was deleted is none", async () => {
    stage.api.get(`${REPO}/issues/7`).reply(410, { message: "This issue was deleted" });
    expect(await stage.repository.loadIssue(7)).toBeNull();
  });

  const issue = {
    number: 7,
    title: "t",
    body: "",
    state: "open",
    locked: false,
    labels: [],
    user: null,
    html_url: "u",
  };
  const found = { ...issue, updated_at: "2026-11-30T12:00:00Z" };
  const places = "https://api.github.com/repos";

  it.each([
    ["another number", { ...found, number: 12, repository_url: `${places}/octo/cellar` }],
    ["the same number", { ...found, repository_url: `${places}/octo/cellar` }],
  ])("that was transferred is none, though GitHub shows what it has become, under %s", async (_, answer) => {
    stage.api.get(`${REPO}/issues/7`).reply(200, answer);
    stage.api.get("/repositories/99").optionally().reply(200, { id: 99, full_name: "octo/shop" });
    expect(await stage.repository.loadIssue(7)).toBeNull();
  });

  it("of a repository that was renamed is the one that was asked for", async () => {
    stage.api.get(`${REPO}/issues/7`).reply(200, { ...found, repository_url: `${places}/Octo/Store` });
    stage.api.get("/repositories/99").reply(200, { id: 99, full_name: "octo/store" });
    expect(await stage.repository.loadIssue(7)).toMatchObject({ number: 7, title: "t" });
  });

  it("is closed", async () => {
    stage.api.patch(`${REPO}/issues/7`, { state: "closed" }).reply(200, {});
    await stage.repository.closeIssue(7);
  });

  it("that was deleted is closed enough", async () => {
    stage.api.patch(`${REPO}/issues/7`).reply(410, { message: "This issue was deleted" });
    stage.api.get(`${REPO}/issues/7`).reply(410, { message: "This issue was deleted" });
    await stage.repository.closeIssue(7);
  });
});

describe("a role", () => {
  const path = `${REPO}/collaborators/mona/permission`;

  it.each([
    ["admin", "admin", "admin"],
    ["maintain", "write", "maintain"],
    ["write", "write", "write"],
    ["triage", "read", "triage"],
    ["read", "read", "read"],
    ["release-captain", "write", "write"],
    ["watcher", "read", "read"],
    ["", "none", "none"],
  ])("named %s on %s is %s", async (role_name, permission, role) => {
    stage.api.get(path).reply(200, { role_name, permission });
    expect(await stage.repository.loadRole("mona")).toBe(role);
  });

  it.each([404, 403])("is none when GitHub answers %i", async (status) => {
    stage.api.get(path).reply(status, { message: "no" });
    stage.api
      .get("/repositories/99")
      .optionally()
      .reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    expect(await stage.repository.loadRole("mona")).toBe("none");
  });

  it("is not known while GitHub is out, or asks us to slow down", async () => {
    stage.api.get(path).times(4).reply(500, { message: "no" });
    await expect(stage.repository.loadRole("mona")).rejects.toMatchObject({ kind: "transient" });
    stage.api.get(path).reply(403, { message: "You have exceeded a secondary rate limit" }, { "retry-after": "1" });
    await expect(stage.repository.loadRole("mona")).rejects.toMatchObject({ kind: "transient" });
  });

  it("of a login that is no login is asked for as one path segment", async () => {
    stage.api.get(`${REPO}/collaborators/..%2F..%2Fadmin/permission`).reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    expect(await stage.repository.loadRole("../../admin")).toBe("none");
  });
});

describe("a file", () => {
  const path = `${REPO}/contents/.github%2Ftaskfleet.yml`;
  const file = (content: Buffer, change: object = {}) => ({
    type: "file",
    encoding: "base64",
    content: content.toString("base64").replaceAll(/(.{60})/gu, "$1\n"),
    sha: sha("d"),
    ...change,
  });

  it("is text without its byte order mark", async () => {
    stage.api
      .get(path)
      .query({ ref: "main" })
      .reply(200, file(Buffer.from("\uFEFFversion: 1 # ü\n")));
    expect(await stage.repository.loadFile(".github/taskfleet.yml", "main")).toEqual({
      sha: sha("d"),
      text: "version: 1 # ü\n",
    });
  });

  it("that is not there is null", async () => {
    stage.api.get(path).query(true).reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(200, { id: 99, owner: { login: "octo" }, name: "shop" });
    expect(await stage.repository.loadFile(".github/taskfleet.yml", "main")).toBeNull();
  });

  it.each([
    ["no file", [{ type: "file" }]],
    ["no file", file(Buffer.from("x"), { type: "submodule" })],
    ["larger than 1 MB", file(Buffer.from(""), { encoding: "none" })],
    ["not UTF-8", file(Buffer.from([0xff, 0xfe, 0x00]))],
  ])("is refused with a reason when it is %s", async (why, data) => {
    stage.api.get(path).query(true).reply(200, data);
    const failure = await failureOf(stage.repository.loadFile(".github/taskfleet.yml", "main"));
    expect(failure).toMatchObject({ kind: "misconfigured" });
    expect(failure.message).toContain(why);
  });
});

describe("rules on a branch", () => {
  it("are told when they stop us, with whose they are", async () => {
    stage.api
      .get(`${REPO}/rules/branches/taskfleet%2F7-x%2Fintegration`)
      .query(true)
      .reply(200, [
        { type: "required_linear_history", ruleset_source: "octo/shop", ruleset_id: 12 },
        { type: "deletion", ruleset_source: "octo/shop", ruleset_id: 12 },
        { type: "non_fast_forward", ruleset_source: "octo/shop", ruleset_id: 12 },
        { type: "creation", ruleset_source: "octo", ruleset_id: 3 },
      ]);
    expect(await stage.repository.loadBranchRules("taskfleet/7-x/integration")).toEqual([
      "required_linear_history: merge commits are forbidden (ruleset 12 of octo/shop)",
      "deletion: nobody may delete the branch (ruleset 12 of octo/shop)",
      "creation: nobody may create the branch (ruleset 3 of octo)",
    ]);
  });

  it("are none where the plan has no rulesets", async () => {
    stage.api.get(`${REPO}/rules/branches/main`).query(true).reply(403, { message: "Upgrade to GitHub Pro" });
    expect(await stage.repository.loadBranchRules("main")).toEqual([]);
  });

  it("are not known while GitHub asks us to slow down, which is a 403 too", async () => {
    const limit = "You have exceeded a secondary rate limit";
    stage.api.get(`${REPO}/rules/branches/main`).query(true).reply(403, { message: limit }, { "retry-after": "60" });
    await expect(stage.repository.loadRequiredChecks("main")).rejects.toMatchObject({ kind: "transient" });
  });

  it("name the checks they demand, each once, with the App that must report it", async () => {
    const demand = (...checks: readonly object[]) => ({
      type: "required_status_checks",
      parameters: { strict_required_status_checks_policy: false, required_status_checks: checks },
    });
    stage.api
      .get(`${REPO}/rules/branches/main`)
      .query(true)
      .reply(200, [
        { type: "deletion" },
        demand({ context: "build", integration_id: 15368 }, { context: "scan" }),
        demand({ context: "build", integration_id: 15368 }),
      ]);
    expect(await stage.repository.loadRequiredChecks("main")).toEqual([
      { name: "build", appId: 15368 },
      { name: "scan", appId: null },
    ]);
  });
});

describe("a file of another repository of the owner", () => {
  const other = (name: string, owner: string) => ({
    id: 99,
    name,
    owner: { login: owner },
    default_branch: "main",
    private: true,
  });
  const file = { type: "file", encoding: "base64", content: "eDogMQo=", sha: "a".repeat(40) };

  it("is read from its default branch, and it is told whether everybody may read it", async () => {
    stage.api.get("/repos/octo/.github").reply(200, other(".github", "Octo"));
    stage.api.get("/repos/octo/.github/contents/.github%2Ftaskfleet.yml").reply(200, file);
    expect(await stage.repository.loadSharedFile(".github", ".github/taskfleet.yml")).toEqual({
      sha: "a".repeat(40),
      text: "x: 1\n",
      private: true,
    });
  });

  it("is not there when the repository was transferred: its new owner has no say here", async () => {
    stage.api.get("/repos/octo/settings").reply(200, other("settings", "mallory"));
    expect(await stage.repository.loadSharedFile("settings", ".github/taskfleet.yml")).toBeNull();
  });

  it("is not there when the repository is private and not ours to see", async () => {
    stage.api.get("/repos/octo/secret").reply(404, { message: "Not Found" });
    stage.api.get("/repositories/99").reply(200, other("shop", "octo"));
    expect(await stage.repository.loadSharedFile("secret", ".github/taskfleet.yml")).toBeNull();
  });
});
