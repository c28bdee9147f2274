import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Sha } from "../../src/contracts/ids.ts";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import { createBranch } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

let world: SandboxWorld;
let pullNumber: number;

beforeAll(async () => {
  world = await createWorld();
  await createBranch(world.app, "topic", {
    "src/cart.js": "export const add = (a, b) => b + a;\n",
    "new.txt": "1\n2\n3\n",
  });
  const { data } = await world.app.rest.pulls.create({ ...REPO, head: "topic", base: "main", title: "Topic" });
  pullNumber = data.number;
});
afterAll(() => world.close());

type ReviewOptions = {
  readonly event?: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
  readonly body?: string;
  readonly comments?: { path: string; body: string; line?: number; side?: string; start_line?: number }[];
};
const review = (token: string | null, options: ReviewOptions) =>
  (token === null ? world.app : world.as(token)).rest.pulls.createReview({
    ...REPO,
    pull_number: pullNumber,
    ...options,
  });

// https://docs.github.com/en/rest/pulls/reviews
describe("a review", () => {
  // github-facts 10
  it.each([
    ["APPROVE", "Can not approve your own pull request"],
    ["REQUEST_CHANGES", "Can not request changes on your own pull request"],
  ] as const)("of one's own pull request cannot be %s", async (event, sentence) => {
    const refusal = await refusalOf(review(null, { event, body: "Fine" }));
    expect(refusal).toMatchObject({ status: 422, message: "Unprocessable Entity" });
    expect(refusal.errors).toContain(sentence);
  });

  it("of one's own pull request can be a comment", async () => {
    const { data } = await review(null, { event: "COMMENT", body: "PASS" });
    expect(data).toMatchObject({ state: "COMMENTED", user: { login: "taskfleet[bot]" } });
  });

  it("has a body when it comments or requests changes", async () => {
    expect((await refusalOf(review(world.tokens.writer, { event: "REQUEST_CHANGES" }))).status).toBe(422);
    expect((await refusalOf(review(world.tokens.writer, { event: "COMMENT" }))).status).toBe(422);
    expect((await review(world.tokens.writer, { event: "APPROVE" })).data.state).toBe("APPROVED");
  });

  // github-facts 35
  it("is all or nothing: one comment outside the diff refuses it whole", async () => {
    const before = await world.app.rest.pulls.listReviews({ ...REPO, pull_number: pullNumber });
    const inside = { path: "new.txt", line: 2, side: "RIGHT", body: "here" };
    const refusal = await refusalOf(
      review(world.tokens.writer, {
        event: "COMMENT",
        body: "Two",
        comments: [inside, { path: "new.txt", line: 9, side: "RIGHT", body: "nowhere" }],
      }),
    );
    expect(refusal).toMatchObject({ status: 422, message: "Unprocessable Entity" });
    expect(refusal.errors).toContain("Line could not be resolved");
    const unknown = { path: "README.md", line: 1, body: "not changed" };
    expect(
      (await refusalOf(review(world.tokens.writer, { event: "COMMENT", body: "x", comments: [unknown] }))).errors,
    ).toContain("Path could not be resolved");
    const after = await world.app.rest.pulls.listReviews({ ...REPO, pull_number: pullNumber });
    expect(after.data).toHaveLength(before.data.length);
  });

  it("keeps its inline comments at their lines, old side and new side", async () => {
    const { data } = await review(world.tokens.writer, {
      event: "COMMENT",
      body: "Two",
      comments: [
        { path: "new.txt", start_line: 1, line: 2, side: "RIGHT", body: "both lines" },
        { path: "src/cart.js", line: 1, side: "LEFT", body: "the old line" },
      ],
    });
    const { data: comments } = await world.app.rest.pulls.listCommentsForReview({
      ...REPO,
      pull_number: pullNumber,
      review_id: data.id,
    });
    expect(comments.map(({ path, diff_hunk: hunk }) => [path, hunk.split("\n").at(-1)])).toEqual([
      ["new.txt", "+2"],
      ["src/cart.js", "-export const add = (a, b) => a + b;"],
    ]);
  });

  it("that is pending is seen by its author alone, and there is one at most", async () => {
    const { data } = await review(world.tokens.maintainer, { body: "Not yet" });
    expect(data.state).toBe("PENDING");
    const ids = async (octokit: typeof world.app) =>
      (await octokit.rest.pulls.listReviews({ ...REPO, pull_number: pullNumber })).data.map(({ id }) => id);
    expect(await ids(world.app)).not.toContain(data.id);
    expect(await ids(world.as(world.tokens.maintainer))).toContain(data.id);
    expect((await refusalOf(review(world.tokens.maintainer, { event: "APPROVE" }))).errors).toContain(
      "User can only have one pending review per pull request",
    );
  });

  it("is dismissed by people with write access, and only when it judged", async () => {
    const { data } = await review(world.tokens.reader, { event: "REQUEST_CHANGES", body: "No" });
    const dismiss = (token: string, id: number) =>
      world.as(token).rest.pulls.dismissReview({ ...REPO, pull_number: pullNumber, review_id: id, message: "Stale" });
    expect((await refusalOf(dismiss(world.tokens.reader, data.id))).status).toBe(403);
    expect((await dismiss(world.tokens.writer, data.id)).data.state).toBe("DISMISSED");
    expect((await refusalOf(dismiss(world.tokens.writer, data.id))).status).toBe(422);
  });
});

// https://docs.github.com/en/rest/apps/apps
describe("a second App", () => {
  it("judges what the first one opened, and takes its own judgement back", async () => {
    const { appId, privateKey } = world.sandbox.registerApp({ slug: "judge", owner: REPO.owner });
    const port = createGitHubPort({ appId, privateKey, baseUrl: world.sandbox.apiUrl });
    expect(await port.loadApp()).toMatchObject({ id: appId, login: "judge[bot]" });
    const ref = await port.loadRepositoryRef(REPO.owner, REPO.repo);
    if (ref === null) throw new Error("it is not installed");
    expect(ref.installationId).not.toBe(world.sandbox.installationId);
    const judge = port.repository(ref);
    const { data } = await world.app.rest.pulls.get({ ...REPO, pull_number: pullNumber });
    const content = { sha: data.head.sha as Sha, body: "PASS", comments: [] };
    const { id } = await judge.createReview(pullNumber, { ...content, event: "APPROVE" });
    const find = async () => (await judge.loadReviews(pullNumber)).find((one) => one.id === id);
    expect(await find()).toMatchObject({ state: "APPROVED", own: true, author: { login: "judge[bot]", bot: true } });
    await judge.dismissReview(pullNumber, id, "Another head.");
    await judge.dismissReview(pullNumber, id, "Another head.");
    expect((await find())?.state).toBe("DISMISSED");
  });

  it("has no power it was not given, and no installation of others", async () => {
    const { appId, privateKey } = world.sandbox.registerApp({ slug: "weak", owner: REPO.owner });
    const port = createGitHubPort({ appId, privateKey, baseUrl: world.sandbox.apiUrl });
    const ref = await port.loadRepositoryRef(REPO.owner, REPO.repo);
    if (ref === null) throw new Error("it is not installed");
    await expect(port.repository(ref).createComment(pullNumber, "hello")).resolves.toBeDefined();
    await expect(port.repository(ref).createBranch("judge", "0".repeat(40) as Sha)).rejects.toMatchObject({
      kind: "misconfigured",
    });
    const foreign = port.repository({ ...ref, installationId: world.sandbox.installationId });
    await expect(foreign.loadPull(pullNumber)).rejects.toThrow();
  });
});
