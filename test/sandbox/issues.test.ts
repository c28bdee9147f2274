import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

let now = Date.parse("2026-11-30T12:00:00Z");
let world: SandboxWorld;

beforeAll(async () => {
  world = await createWorld({ clock: () => now });
});
afterAll(() => world.close());

async function openIssue(token: string, more: object = {}): Promise<number> {
  const { data } = await world.as(token).rest.issues.create({ ...REPO, title: "Help", ...more });
  return data.number;
}

// https://docs.github.com/en/rest/issues/issues
describe("an issue", () => {
  it("of a stranger loses its labels, of a triager keeps them", async () => {
    const labels = ["taskfleet"];
    const strange = await openIssue(world.tokens.stranger, { labels });
    const triaged = await openIssue(world.tokens.triager, { labels });
    const labelsOf = async (issue: number) =>
      (await world.app.rest.issues.listLabelsOnIssue({ ...REPO, issue_number: issue })).data.map(({ name }) => name);
    expect([await labelsOf(strange), await labelsOf(triaged)]).toEqual([[], ["taskfleet"]]);
  });

  // github-facts 26: triage may label
  it("is labelled by triagers, not by readers", async () => {
    const issue = await openIssue(world.tokens.reader);
    const label = (token: string) =>
      world.as(token).rest.issues.addLabels({ ...REPO, issue_number: issue, labels: ["Bug"] });
    expect((await refusalOf(label(world.tokens.reader))).status).toBe(403);
    expect((await label(world.tokens.triager)).data.map(({ name }) => name)).toEqual(["Bug"]);
    const remove = (name: string) => world.app.rest.issues.removeLabel({ ...REPO, issue_number: issue, name });
    // Labels are compared without regard to case.
    expect((await remove("bug")).data).toEqual([]);
    expect(await refusalOf(remove("bug"))).toMatchObject({ status: 404, message: "Label does not exist" });
  });

  it("is edited by its author and by triagers", async () => {
    const issue = await openIssue(world.tokens.stranger);
    const edit = (token: string) =>
      world.as(token).rest.issues.update({ ...REPO, issue_number: issue, body: `by ${token}` });
    await edit(world.tokens.stranger);
    await edit(world.tokens.triager);
    expect((await refusalOf(edit(world.tokens.reader))).status).toBe(403);
  });

  it("remembers who closed it and why", async () => {
    const issue = await openIssue(world.tokens.writer);
    const close = { ...REPO, issue_number: issue, state: "closed", state_reason: "not_planned" } as const;
    const { data } = await world.as(world.tokens.writer).rest.issues.update(close);
    expect(data).toMatchObject({ state: "closed", state_reason: "not_planned", closed_by: { login: "writer" } });
    const { data: events } = await world.app.rest.issues.listEvents({ ...REPO, issue_number: issue });
    expect(events.map(({ event, actor }) => [event, actor?.login])).toEqual([["closed", "writer"]]);
  });
});

// https://docs.github.com/en/rest/issues/comments
describe("comments", () => {
  it("come by page and by time of their last change", async () => {
    const issue = await openIssue(world.tokens.writer);
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      now += 60_000;
      const { data } = await world.app.rest.issues.createComment({ ...REPO, issue_number: issue, body: `${n}` });
      ids.push(data.id);
    }
    const list = (more: object) => world.app.rest.issues.listComments({ ...REPO, issue_number: issue, ...more });
    const second = await list({ per_page: 2, page: 2 });
    expect(second.data.map(({ body }) => body)).toEqual(["2", "3"]);
    expect(second.headers.link).toMatch(/page=1.*rel="prev".*page=3.*rel="next".*page=3.*rel="last"/);
    const since = new Date(now).toISOString();
    now += 60_000;
    await world.app.rest.issues.updateComment({ ...REPO, comment_id: ids[0] ?? 0, body: "changed" });
    expect((await list({ since })).data.map(({ body }) => body)).toEqual(["changed", "4"]);
  });

  it("are at most 65,536 characters long and not blank", async () => {
    const issue = await openIssue(world.tokens.writer);
    const comment = (body: string) => world.app.rest.issues.createComment({ ...REPO, issue_number: issue, body });
    await comment("x".repeat(65_536));
    const refusal = await refusalOf(comment("x".repeat(65_537)));
    expect(refusal.status).toBe(422);
    expect(refusal.errors).toContain("body is too long (maximum is 65536 characters)");
    expect((await refusalOf(comment("  "))).status).toBe(422);
  });

  it("on a locked issue are for people with write access", async () => {
    const issue = await openIssue(world.tokens.writer);
    await world.as(world.tokens.writer).rest.issues.lock({ ...REPO, issue_number: issue });
    const comment = (token: string) =>
      world.as(token).rest.issues.createComment({ ...REPO, issue_number: issue, body: "Hello" });
    const refusal = { status: 403, message: "Unable to create comment because issue is locked." };
    expect(await refusalOf(comment(world.tokens.stranger))).toMatchObject(refusal);
    // An App is nobody's collaborator, whatever it may do otherwise.
    expect(await refusalOf(comment(await world.installationToken()))).toMatchObject(refusal);
    await comment(world.tokens.writer);
  });

  it("of others are changed and deleted with write access only", async () => {
    const issue = await openIssue(world.tokens.writer);
    const { data } = await world.as(world.tokens.stranger).rest.issues.createComment({
      ...REPO,
      issue_number: issue,
      body: "Mine",
    });
    const remove = (token: string) => world.as(token).rest.issues.deleteComment({ ...REPO, comment_id: data.id });
    expect((await refusalOf(remove(world.tokens.reader))).status).toBe(403);
    await remove(world.tokens.writer);
    expect((await refusalOf(world.app.rest.issues.getComment({ ...REPO, comment_id: data.id }))).status).toBe(404);
  });
});

describe("an archived repository", () => {
  it("is read-only", async () => {
    const repository = world.sandbox.world.findRepository("acme", "shop");
    if (repository === null) throw new Error("no repository");
    repository.archived = true;
    const refusal = await refusalOf(world.app.rest.issues.create({ ...REPO, title: "x" }));
    repository.archived = false;
    expect(refusal).toMatchObject({ status: 403, message: "Repository was archived so is read-only." });
  });
});
