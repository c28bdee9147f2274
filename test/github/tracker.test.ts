import { describe, expect, it } from "@jest/globals";
import { REPO, setUpStage } from "./github-stage.ts";
import { failureOf } from "./stage-parts.ts";

const stage = setUpStage();
const ISSUE = { id: 70, number: 8, title: "api: Build it", body: "text", state: "open", user: null };

describe("a sub-issue", () => {
  it("is an issue that is then put below its parent", async () => {
    stage.api.post(`${REPO}/issues`, { title: "api: Build it", body: "text" }).reply(201, ISSUE);
    stage.api.post(`${REPO}/issues/7/sub_issues`, { sub_issue_id: 70 }).reply(201, {});
    const made = await stage.repository.tracker.createSubIssue(7, { title: "api: Build it", body: "text" });
    expect(made).toEqual({ id: 70, number: 8, title: "api: Build it", body: "text", state: "open", own: false });
  });

  it("is ours only when our App wrote it, in this repository", async () => {
    const bot = { login: "taskfleet[bot]", id: 1, type: "Bot" };
    const url = "https://api.github.com/repos/octo/shop-by-its-new-name";
    stage.api.get("/app").reply(200, { id: 7, slug: "taskfleet" });
    stage.api.get(`${REPO}/issues/7`).reply(200, { number: 7, repository_url: url });
    stage.api
      .get(`${REPO}/issues/7/sub_issues`)
      .query(true)
      .reply(200, [
        { ...ISSUE, user: bot, repository_url: url },
        { ...ISSUE, user: bot, repository_url: "https://api.github.com/repos/mallory/trap" },
        { ...ISSUE, user: { ...bot, login: "mallory", type: "User" }, repository_url: url },
      ]);
    const issues = await stage.repository.tracker.loadSubIssues(7);
    expect(issues.map(({ own }) => own)).toEqual([true, false, false]);
  });

  it("that lost its parent is found among those our App wrote, and put below it", async () => {
    const bot = { login: "taskfleet[bot]", id: 1, type: "Bot" };
    stage.api.get("/app").reply(200, { id: 7, slug: "taskfleet" });
    stage.api
      .get(`${REPO}/issues`)
      .query({ creator: "taskfleet[bot]", state: "all", since: "2026-11-30T12:00:00.000Z", per_page: 100, page: 1 })
      .reply(200, [
        { ...ISSUE, user: bot },
        { ...ISSUE, number: 9, user: bot, pull_request: {} },
        { ...ISSUE, number: 10, user: null },
      ]);
    const found = await stage.repository.tracker.loadOwnIssues(Date.parse("2026-11-30T12:00:00Z"));
    expect(found.map(({ number }) => number)).toEqual([8]);
    stage.api.post(`${REPO}/issues/7/sub_issues`, { sub_issue_id: 70 }).reply(201, {});
    await stage.repository.tracker.attachSubIssue(7, 70);
    const message = "Sub issue may only have one parent";
    stage.api.post(`${REPO}/issues/7/sub_issues`, { sub_issue_id: 70 }).reply(422, { message });
    await stage.repository.tracker.attachSubIssue(7, 70);
  });

  it("that is there already is one, and one for which there is no room is a failure", async () => {
    const answer = (message: string) => {
      stage.api.post(`${REPO}/issues`).reply(201, ISSUE);
      stage.api.post(`${REPO}/issues/7/sub_issues`).reply(422, { message });
    };
    const create = () => stage.repository.tracker.createSubIssue(7, { title: "x", body: "y" });
    answer("Issue may not contain duplicate sub-issues");
    expect((await create()).number).toBe(8);
    answer("Parent cannot have more than 100 sub-issues");
    expect(await failureOf(create())).toMatchObject({ details: { status: 422 } });
  });

  it("is closed with the reason, and opened again", async () => {
    stage.api.patch(`${REPO}/issues/8`, { state: "closed", state_reason: "not_planned" }).reply(200, ISSUE);
    await stage.repository.tracker.updateSubIssue(8, { state: "not_planned" });
    stage.api.patch(`${REPO}/issues/8`, { state: "open", state_reason: "reopened" }).reply(200, ISSUE);
    await stage.repository.tracker.updateSubIssue(8, { state: "open" });
  });

  it("waits for others by their ids; a relation that is there or gone already is fine", async () => {
    const blockers = `${REPO}/issues/8/dependencies/blocked_by`;
    stage.api
      .get(blockers)
      .query(true)
      .reply(200, [{ id: 71 }, { id: 72 }]);
    expect(await stage.repository.tracker.loadBlockers(8)).toEqual([71, 72]);
    stage.api.post(blockers, { issue_id: 73 }).reply(422, { message: "Target issue has already been taken" });
    await stage.repository.tracker.addBlocker(8, 73);
    stage.api.delete(`${blockers}/71`).reply(404, { message: "Not Found" });
    stage.api
      .get("/repositories/99")
      .optionally()
      .reply(200, { id: 99, name: "shop", owner: { login: "octo" } });
    await stage.repository.tracker.removeBlocker(8, 71);
  });
});
