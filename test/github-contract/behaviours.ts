/** What the rest of Taskfleet relies on, said once: GitHub's model and the local GitHub must both do it. */
import { expect } from "@jest/globals";
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import type { JobId, Sha } from "../../src/contracts/ids.ts";
import { formatRunName, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { CheckOutput } from "../../src/github/port.ts";
import { commitOn, outcomeOf, type Place } from "./place.ts";

type Behaviour = (place: Place) => Promise<void>;

export const behaviours: Readonly<Record<string, Behaviour>> = {
  "a branch is made once, moved forward only, and deleting it twice is harmless": async (place) => {
    const { repository, main } = place;
    await repository.createBranch("taskfleet/a", main);
    await repository.createBranch("taskfleet/a", main);
    const next = await commitOn(place, "taskfleet/a", { "a.txt": "1\n" });
    expect(await repository.loadBranch("taskfleet/a")).toBe(next);
    expect(await outcomeOf(repository.createBranch("taskfleet/a", main))).toBe("conflict");
    expect(await outcomeOf(repository.updateBranch("taskfleet/a", main))).toBe("conflict");
    expect(await outcomeOf(repository.updateBranch("taskfleet/none", main))).toBe("conflict");
    await repository.deleteBranch("taskfleet/a");
    await repository.deleteBranch("taskfleet/a");
    expect(await repository.loadBranch("taskfleet/a")).toBeNull();
  },

  "objects are named by their content, and commits say what they are made of": async (place) => {
    const { repository, main } = place;
    const blob = await repository.createBlob("text\n");
    expect(blob).toBe(formatBlobName("text\n"));
    const base = await repository.loadCommit(main);
    const tree = await repository.createTree(base.tree, [
      { path: "a/b.txt", mode: "100755", sha: blob },
      { path: "README.md", sha: null },
    ]);
    const files = new Map(
      (await repository.loadTree(tree))
        ?.filter((entry) => entry.type === "blob")
        .map((entry) => [entry.path, entry.mode]),
    );
    expect(files.get("a/b.txt")).toBe("100755");
    expect(files.has("README.md")).toBe(false);
    const commit = await repository.createCommit({ tree, parents: [main], message: "Say\n\nmore" });
    expect(await repository.loadCommit(commit)).toEqual({ sha: commit, tree, parents: [main], message: "Say\n\nmore" });
    expect(Buffer.from(await repository.loadBlob(blob)).toString()).toBe("text\n");
    expect(await outcomeOf(repository.loadCommit("1".repeat(40) as Sha))).toBe("conflict");
  },

  "a file is read at a branch or a commit, or is not there": async ({ repository, main }) => {
    expect((await repository.loadFile("README.md", "main"))?.text).toContain("# Shop");
    expect((await repository.loadFile("README.md", main))?.sha).toMatch(/^[0-9a-f]{40}$/u);
    expect(await repository.loadFile("nothing.md", "main")).toBeNull();
  },

  "two commits are compared from where they parted": async (place) => {
    const { repository, main } = place;
    const left = await commitOn(place, "taskfleet/left", { "left.txt": "1\n2\n" });
    const right = await commitOn(place, "taskfleet/right", { "README.md": "# Other\n" });
    const ahead = await repository.loadComparison(main, left);
    expect(ahead).toMatchObject({ status: "ahead", mergeBase: main, aheadBy: 1, behindBy: 0, complete: true });
    expect(ahead.files).toMatchObject([{ path: "left.txt", status: "added" }]);
    expect(ahead.files[0]?.patch).toContain("+2");
    expect(await repository.loadComparison(left, main)).toMatchObject({ status: "behind" });
    expect(await repository.loadComparison(main, main)).toMatchObject({ status: "identical", files: [] });
    const apart = await repository.loadComparison(left, right);
    expect(apart).toMatchObject({ status: "diverged", mergeBase: main, aheadBy: 1, behindBy: 1 });
    expect(apart.files.map((file) => [file.path, file.status])).toEqual([["README.md", "modified"]]);
  },

  "a commit is merged into a branch, once, and not where both changed a file": async (place) => {
    const { repository } = place;
    const one = await commitOn(place, "taskfleet/one", { "one.txt": "1\n" });
    await commitOn(place, "taskfleet/two", { "two.txt": "2\n", "README.md": "# Two\n" });
    const merged = await repository.mergeIntoBranch("taskfleet/two", one, "Merge one");
    expect(merged).not.toBeNull();
    expect((await repository.loadCommit(merged as Sha)).parents[1]).toBe(one);
    expect((await repository.loadFile("one.txt", "taskfleet/two"))?.text).toBe("1\n");
    expect(await repository.mergeIntoBranch("taskfleet/two", one, "Again")).toBeNull();
    const clash = await commitOn(place, "taskfleet/clash", { "README.md": "# Clash\n" });
    expect(await outcomeOf(repository.mergeIntoBranch("taskfleet/two", clash, "Clash"))).toBe("conflict");
  },

  "one open pull request per head and base, and none without commits": async (place) => {
    const { repository, main } = place;
    await commitOn(place, "taskfleet/pull", { "p.txt": "1\n" });
    const text = { title: "T", body: "B", draft: true };
    const pull = await repository.createPull({ head: "taskfleet/pull", base: "main", ...text });
    expect(await repository.loadPull(pull.number)).toMatchObject({
      state: "open",
      draft: true,
      merged: false,
      title: "T",
      body: "B",
    });
    expect(await outcomeOf(repository.createPull({ head: "taskfleet/pull", base: "main", ...text }))).toBe("conflict");
    await repository.createBranch("taskfleet/empty", main);
    expect(await outcomeOf(repository.createPull({ head: "taskfleet/empty", base: "main", ...text }))).toBe("terminal");
    await repository.updatePull(pull.number, { body: "C" });
    await repository.markReady(pull.nodeId);
    const head = await repository.loadBranch("taskfleet/pull");
    const more = await commitOn(place, "taskfleet/pull", { "p.txt": "2\n" }, head as Sha);
    await place.idle();
    expect(await repository.loadPull(pull.number)).toMatchObject({ draft: false, body: "C", head: { sha: more } });
    await repository.updatePull(pull.number, { state: "closed" });
    expect(await repository.loadPullsByHead("taskfleet/pull")).toMatchObject([
      { number: pull.number, state: "closed", merged: false },
    ]);
    const second = await repository.createPull({ head: "taskfleet/pull", base: "main", ...text });
    expect((await repository.loadPullsByHead("taskfleet/pull")).map((one) => one.number)).toEqual([
      second.number,
      pull.number,
    ]);
    expect((await repository.loadOpenPulls()).map((one) => one.number)).toContain(second.number);
  },

  "a base that comes to contain a head marks the pull request merged": async (place) => {
    const { repository, main } = place;
    await repository.createBranch("taskfleet/base", main);
    const head = await commitOn(place, "taskfleet/head", { "h.txt": "1\n" });
    const pull = await repository.createPull({
      head: "taskfleet/head",
      base: "taskfleet/base",
      title: "T",
      body: "",
      draft: false,
    });
    await repository.updateBranch("taskfleet/base", head);
    await place.idle();
    expect(await repository.loadPull(pull.number)).toMatchObject({ state: "closed", merged: true });
    await repository.deleteBranch("taskfleet/head");
    expect(await repository.loadPull(pull.number)).toMatchObject({ merged: true });
  },

  "a pull request whose head is deleted is closed, not merged": async (place) => {
    const { repository } = place;
    await commitOn(place, "taskfleet/gone", { "g.txt": "1\n" });
    const pull = await repository.createPull({
      head: "taskfleet/gone",
      base: "main",
      title: "T",
      body: "",
      draft: false,
    });
    await repository.deleteBranch("taskfleet/gone");
    await place.idle();
    expect(await repository.loadPull(pull.number)).toMatchObject({ state: "closed", merged: false });
  },

  "a pull request is merged only at the commit that was meant": async (place) => {
    const { repository, main } = place;
    await repository.createBranch("taskfleet/target", main);
    const head = await commitOn(place, "taskfleet/source", { "s.txt": "1\n" });
    const pull = await repository.createPull({
      head: "taskfleet/source",
      base: "taskfleet/target",
      title: "T",
      body: "",
      draft: false,
    });
    await place.idle();
    const merge = { sha: head, method: "merge", title: "Merge", message: "" } as const;
    expect(await outcomeOf(repository.mergePull(pull.number, { ...merge, sha: main }))).toBe("conflict");
    const commit = await repository.mergePull(pull.number, merge);
    expect((await repository.loadCommit(commit)).parents).toEqual([main, head]);
    await place.idle();
    expect(await repository.loadPull(pull.number)).toMatchObject({ merged: true, mergeCommit: commit });
    expect(await repository.loadBranch("taskfleet/target")).toBe(commit);
  },

  "comments are ours, in order, and can be edited": async ({ repository, issue }) => {
    const first = await repository.createComment(issue, "One.");
    const second = await repository.createComment(issue, "Two.");
    await repository.updateComment(first.id, "One, edited.");
    const comments = (await repository.loadComments(issue)).filter((comment) =>
      [first.id, second.id].includes(comment.id),
    );
    expect(comments).toMatchObject([
      { body: "One, edited.", own: true },
      { body: "Two.", own: true },
    ]);
    expect(second.id).toBeGreaterThan(first.id);
  },

  "nobody approves a pull request of their own, a comment is fine": async (place) => {
    const { repository } = place;
    const sha = await commitOn(place, "taskfleet/review", { "r.txt": "1\n" });
    const pull = await repository.createPull({
      head: "taskfleet/review",
      base: "main",
      title: "T",
      body: "",
      draft: false,
    });
    const review = { sha, body: "PASS", comments: [] };
    expect(await outcomeOf(repository.createReview(pull.number, { ...review, event: "APPROVE" }))).toBe("terminal");
    const { id } = await repository.createReview(pull.number, { ...review, event: "COMMENT" });
    expect(await repository.loadReviews(pull.number)).toMatchObject([
      { id, own: true, state: "COMMENTED", commit: sha, body: "PASS" },
    ]);
  },

  "a check stands on its commit under its own id and changes": async (place) => {
    const { repository, port } = place;
    const sha = await commitOn(place, "taskfleet/check", { "c.txt": "1\n" });
    const check: CheckOutput = {
      name: "taskfleet/floor",
      sha,
      externalId: "x:1",
      status: "in_progress",
      title: "T",
      summary: "S",
      annotations: [],
    };
    const { id } = await repository.createCheck(check);
    await repository.updateCheck(id, { ...check, status: "completed", conclusion: "failure" });
    const app = await port.loadApp();
    const found = (await repository.loadCheckRuns(sha)).filter((run) => run.id === id);
    expect(found).toMatchObject([
      { name: "taskfleet/floor", appId: app.id, externalId: "x:1", status: "completed", conclusion: "failure" },
    ]);
    expect(await repository.loadStatuses(sha)).toEqual([]);
  },

  "a workflow is dispatched on a branch, found by its job, and refuses what it does not know": async (place) => {
    const { repository, main } = place;
    await repository.createBranch("taskfleet/work", main);
    const job = "7-add-search/plan/1" as JobId;
    const inputs = { role: "plan", request: WORKING_REQUEST, job };
    const before = place.now() - 60_000;
    const id = await repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/work", inputs });
    expect(id).not.toBeNull();
    expect(await repository.loadWorkflowRun(id ?? 0)).toMatchObject({
      id,
      event: "workflow_dispatch",
      headSha: main,
      headBranch: "taskfleet/work",
    });
    await place.idle();
    const runs = await repository.loadWorkflowRuns(job, before);
    expect(runs.map((run) => [run.id, run.title])).toEqual([[id, formatRunName("plan", job)]]);
    expect(runs[0]?.status).toBe("completed");
    expect(await repository.loadArtifact(id ?? 0, "another", "result.json", 1000)).toEqual({ outcome: "missing" });
    await repository.cancelRun(id ?? 0);
    expect(
      await outcomeOf(
        repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/work", inputs: { role: "plan" } }),
      ),
    ).toBe("misconfigured");
    expect(
      await outcomeOf(repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/nowhere", inputs })),
    ).toBe("conflict");
    expect(await repository.loadWorkflowRun(1)).toBeNull();
  },

  "roles are told, and nobody is none": async ({ repository, writer }) => {
    expect(await repository.loadRole(writer)).toBe("maintain");
    expect(await repository.loadRole("nobody-at-all")).toBe("none");
  },

  "an issue is read and closed": async ({ repository, issue }) => {
    expect(await repository.loadIssue(issue)).toMatchObject({
      number: issue,
      state: "open",
      pullRequest: false,
      locked: false,
    });
    await repository.closeIssue(issue);
    expect(await repository.loadIssue(issue)).toMatchObject({ state: "closed" });
    expect(await repository.loadIssue(9999)).toBeNull();
  },
};

const WORKING_REQUEST = JSON.stringify({
  v: 1,
  role: "plan",
  run: "7-add-search",
  job: "7-add-search/plan/1",
  planRev: 1,
  commit: "1".repeat(40),
  documents: {},
});
