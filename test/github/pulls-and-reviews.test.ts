import { describe, expect, it } from "@jest/globals";
import { parseSha } from "../../src/contracts/ids.ts";
import { REPO, setUpStage } from "./github-stage.ts";
import { failureOf, sha } from "./stage-parts.ts";

const stage = setUpStage();
const head = parseSha(sha("a"));

function pullData(change: object = {}) {
  return {
    number: 3,
    node_id: "PR_3",
    state: "open",
    merged_at: null,
    merge_commit_sha: sha("f"),
    draft: true,
    mergeable: null,
    head: { ref: "x", sha: head, repo: { id: 99 } },
    base: { ref: "main", sha: sha("b") },
    title: "T",
    body: null,
    html_url: "https://github.com/octo/shop/pull/3",
    ...change,
  };
}

describe("a pull request", () => {
  it("that is open has no merge commit, whatever test commit GitHub names", async () => {
    stage.api.get(`${REPO}/pulls/3`).reply(200, pullData());
    expect(await stage.repository.loadPull(3)).toMatchObject({
      merged: false,
      mergeCommit: null,
      mergedAt: null,
      mergeable: null,
      draft: true,
      head: { ref: "x", sha: head },
    });
  });

  it("that was merged names its merge commit", async () => {
    stage.api.get(`${REPO}/pulls/3`).reply(200, pullData({ state: "closed", merged_at: "2026-11-30T12:00:00Z" }));
    expect(await stage.repository.loadPull(3)).toMatchObject({ state: "closed", merged: true, mergeCommit: sha("f") });
  });

  // API version 2026-03-10 removed merge_commit_sha (docs.github.com/en/rest/about-the-rest-api/breaking-changes).
  it("that was merged has its commit from the event where the pull request does not say it", async () => {
    const merged = pullData({ state: "closed", merged_at: "2026-11-30T12:00:00Z", merge_commit_sha: undefined });
    stage.api.get(`${REPO}/pulls/3`).reply(200, merged);
    stage.api
      .get(`${REPO}/issues/3/events`)
      .query(true)
      .reply(200, [
        { event: "labeled", commit_id: null },
        { event: "merged", commit_id: sha("e") },
      ]);
    expect(await stage.repository.loadPull(3)).toMatchObject({ merged: true, mergeCommit: sha("e") });
  });

  it("is found by its branch in this repository, not in a fork of the same name", async () => {
    stage.api
      .get(`${REPO}/pulls`)
      .query({ head: "octo:x", state: "all", sort: "created", direction: "desc", per_page: 100, page: 1 })
      .reply(200, [
        pullData({ number: 5 }),
        pullData({ number: 4, head: { ref: "x", sha: head, repo: { id: 100 } } }),
        pullData({ number: 2, head: { ref: "x", sha: head, repo: null } }),
      ]);
    expect((await stage.repository.loadPullsByHead("x")).map(({ number }) => number)).toEqual([5]);
  });

  it("becomes a normal one where drafts are refused", async () => {
    const request = { head: "x", base: "main", title: "T", body: "B" };
    stage.api
      .post(`${REPO}/pulls`, { ...request, draft: true })
      .reply(422, { message: "Draft pull requests are not supported in this repository." });
    stage.api.post(`${REPO}/pulls`, request).reply(201, pullData({ draft: false }));
    expect(await stage.repository.createPull({ ...request, draft: true })).toMatchObject({ number: 3, draft: false });
  });

  it("that exists already is a conflict", async () => {
    stage.api.post(`${REPO}/pulls`).reply(422, {
      message: "Validation Failed",
      errors: [{ resource: "PullRequest", code: "custom", message: "A pull request already exists for octo:x." }],
    });
    const creating = stage.repository.createPull({ head: "x", base: "main", title: "T", body: "B", draft: false });
    expect(await failureOf(creating)).toMatchObject({ kind: "conflict" });
  });

  it("is made ready by GraphQL, whose errors come with 200", async () => {
    stage.api.post("/graphql").reply(200, { data: { markPullRequestReadyForReview: { pullRequest: {} } } });
    await stage.repository.markReady("PR_3");
    stage.api
      .post("/graphql")
      .reply(200, { data: null, errors: [{ type: "NOT_FOUND", message: "Could not resolve" }] });
    expect(await failureOf(stage.repository.markReady("PR_3"))).toMatchObject({ kind: "conflict" });
  });

  it("is merged at the commit that was verified, or not at all", async () => {
    const merge = { sha: head, method: "squash", title: "T", message: "M" } as const;
    const body = { sha: head, merge_method: "squash", commit_title: "T", commit_message: "M" };
    stage.api.put(`${REPO}/pulls/3/merge`, body).reply(200, { sha: sha("c"), merged: true, message: "merged" });
    expect(await stage.repository.mergePull(3, merge)).toBe(sha("c"));
    stage.api
      .put(`${REPO}/pulls/3/merge`)
      .reply(409, { message: "Head branch was modified. Review and try the merge again." });
    expect(await failureOf(stage.repository.mergePull(3, merge))).toMatchObject({ kind: "conflict" });
  });
});

describe("a review", () => {
  const comment = { path: "src/a`b.ts", line: 9, startLine: 7, body: "This *fails*." };
  const reviews = `${REPO}/pulls/3/reviews`;

  it("carries its comments on the new side of the diff", async () => {
    stage.api
      .post(reviews, {
        commit_id: head,
        event: "COMMENT",
        body: "B",
        comments: [
          { path: comment.path, line: 9, side: "RIGHT", start_line: 7, start_side: "RIGHT", body: comment.body },
        ],
      })
      .reply(200, { id: 1, html_url: "u" });
    const review = { sha: head, event: "COMMENT", body: "B", comments: [comment] } as const;
    expect(await stage.repository.createReview(3, review)).toEqual({ id: 1, url: "u" });
  });

  it("is posted with its comments in the body when one lies outside the diff", async () => {
    stage.api.post(reviews).reply(422, { message: "Unprocessable Entity", errors: ["Line could not be resolved"] });
    let body = "";
    stage.api
      .post(reviews, (sent: { body: string; comments?: unknown }) => {
        body = sent.body;
        return sent.comments === undefined;
      })
      .reply(200, { id: 2, html_url: "u" });
    await stage.repository.createReview(3, { sha: head, event: "COMMENT", body: "B", comments: [comment] });
    expect(body).toBe("B\n\n``src/a`b.ts``, lines 7–9:\n\nThis *fails*.");
  });

  it("keeps what finds it again, however long its comments in the body make it", async () => {
    stage.api.post(reviews).reply(422, { message: "Unprocessable Entity", errors: ["Line could not be resolved"] });
    let body = "";
    stage.api
      .post(reviews, (sent: { body: string }) => {
        body = sent.body;
        return true;
      })
      .reply(200, { id: 2, html_url: "u" });
    const comments = Array.from({ length: 30 }, () => ({ ...comment, body: "x".repeat(8000) }));
    const text = `${"y".repeat(60_000)}\n\n<!-- marker -->`;
    await stage.repository.createReview(3, { sha: head, event: "COMMENT", body: text, comments });
    expect(body).toContain("<!-- marker -->");
    expect(body.length).toBeLessThan(65_536);
  });

  it("of one's own pull request is refused, not posted without its comments", async () => {
    stage.api.post(reviews).reply(422, { message: "Review Can not approve your own pull request" });
    const review = { sha: head, event: "APPROVE", body: "B", comments: [comment] } as const;
    const failure = await failureOf(stage.repository.createReview(3, review));
    expect(failure).toMatchObject({ kind: "terminal" });
    expect(failure.message).toContain("approve your own pull request");
  });

  it("is dismissed with the reason, and once is enough", async () => {
    const message = "Another head.";
    stage.api.put(`${reviews}/5/dismissals`, { message }).reply(200, { id: 5 });
    await stage.repository.dismissReview(3, 5, message);
    stage.api
      .put(`${reviews}/5/dismissals`)
      .reply(422, { message: "Validation Failed", errors: ["Can not dismiss a dismissed pull request review"] });
    await stage.repository.dismissReview(3, 5, message);
    stage.api.put(`${reviews}/5/dismissals`).reply(400, { message: "Problems parsing JSON" });
    expect(await failureOf(stage.repository.dismissReview(3, 5, message))).toMatchObject({ details: { status: 400 } });
  });

  it("is listed with who wrote it, over all pages", async () => {
    const data = (id: number, user: object | null, state: string) => ({
      id,
      body: "",
      user,
      state,
      commit_id: head,
      submitted_at: "2026-11-30T12:00:00Z",
      html_url: "u",
    });
    stage.api.get("/app").reply(200, { id: 7, slug: "taskfleet" });
    const next = `<https://api.github.com${reviews}?page=2>; rel="next"`;
    stage.api
      .get(reviews)
      .query({ per_page: 100, page: 1 })
      .reply(200, [data(1, { login: "taskfleet[bot]", id: 2, type: "Bot" }, "COMMENTED")], { link: next });
    stage.api
      .get(reviews)
      .query({ per_page: 100, page: 2 })
      .reply(200, [data(2, { login: "mona", id: 3, type: "User" }, "CHANGES_REQUESTED"), data(3, null, "NEW_WORD")]);
    expect((await stage.repository.loadReviews(3)).map(({ own, author, state }) => [own, author.login, state])).toEqual(
      [
        [true, "taskfleet[bot]", "COMMENTED"],
        [false, "mona", "CHANGES_REQUESTED"],
        [false, "ghost", "COMMENTED"],
      ],
    );
  });
});
