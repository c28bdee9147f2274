import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commitFiles, createBranch, readTip } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

let world: SandboxWorld;
let main: string;

beforeAll(async () => {
  world = await createWorld();
  main = await readTip(world.app, "main");
});
afterAll(() => world.close());

async function openPull(head: string, base = "main", draft = false) {
  const { data } = await world.app.rest.pulls.create({ ...REPO, head, base, title: `Pull ${head}`, draft });
  return data;
}

const read = async (number: number) => (await world.app.rest.pulls.get({ ...REPO, pull_number: number })).data;
const move = (branch: string, sha: string, force = false) =>
  world.app.rest.git.updateRef({ ...REPO, ref: `heads/${branch}`, sha, force });

// https://docs.github.com/en/rest/pulls/pulls#create-a-pull-request
describe("opening a pull request", () => {
  it("is refused when there is one already, when there is nothing to merge, when a branch is missing", async () => {
    await createBranch(world.app, "twice", { "twice.txt": "x" });
    await openPull("twice");
    const again = await refusalOf(openPull("twice"));
    expect(again).toMatchObject({ status: 422, message: "Validation Failed" });
    expect(again.errors).toContain("A pull request already exists for acme:twice.");

    await world.app.rest.git.createRef({ ...REPO, ref: "refs/heads/empty", sha: main });
    expect((await refusalOf(openPull("empty"))).errors).toContain("No commits between main and empty");
    expect((await refusalOf(openPull("missing"))).errors).toContain('"field":"head","code":"invalid"');
    expect((await refusalOf(openPull("twice", "missing"))).errors).toContain('"field":"base","code":"invalid"');
  });

  it("shares its numbers with issues and is one", async () => {
    const issue = await world.app.rest.issues.create({ ...REPO, title: "Before" });
    await createBranch(world.app, "numbered", { "numbered.txt": "x" });
    const pull = await openPull("numbered");
    expect(pull.number).toBe(issue.data.number + 1);
    const asIssue = await world.app.rest.issues.get({ ...REPO, issue_number: pull.number });
    expect(asIssue.data.pull_request?.url).toBe(pull.url);
  });
});

// github-facts 23
describe("mergeability", () => {
  it("is null at first and known later", async () => {
    await createBranch(world.app, "clean", { "clean.txt": "x" });
    const pull = await openPull("clean");
    expect(pull.mergeable).toBeNull();
    await world.sandbox.idle();
    expect(await read(pull.number)).toMatchObject({ mergeable: true, mergeable_state: "clean", changed_files: 1 });
  });

  it("is computed anew when the base moves", async () => {
    const tip = await createBranch(world.app, "target", { "shared.txt": "one" });
    await createBranch(world.app, "change", { "shared.txt": "mine" }, "target");
    const pull = await openPull("change", "target");
    await world.sandbox.idle();
    const release = world.sandbox.faults.hold("mergeability");
    await move("target", await commitFiles(world.app, tip, { "shared.txt": "theirs" }));
    expect((await read(pull.number)).mergeable).toBeNull();
    release();
    await world.sandbox.idle();
    expect(await read(pull.number)).toMatchObject({ mergeable: false, mergeable_state: "dirty" });
    const refusal = await refusalOf(world.app.rest.pulls.merge({ ...REPO, pull_number: pull.number }));
    expect(refusal).toMatchObject({ status: 405, message: "Pull Request is not mergeable" });
  });
});

describe("a base that comes to contain the head", () => {
  // github-facts 37: "Merged" after a base update is asynchronous
  it("marks the pull request as merged, but later", async () => {
    await createBranch(world.app, "into", { "into.txt": "x" });
    const head = await createBranch(world.app, "landing", { "landing.txt": "x" }, "into");
    const pull = await openPull("landing", "into");
    const release = world.sandbox.faults.hold("merged");
    await move("into", head);
    expect(await read(pull.number)).toMatchObject({ state: "open", merged: false });
    release();
    await world.sandbox.idle();
    expect(await read(pull.number)).toMatchObject({
      state: "closed",
      merged: true,
      merged_by: { login: "taskfleet[bot]" },
    });
    // In API version 2026-03-10 only the events tell the commit.
    const { data: events } = await world.app.rest.issues.listEvents({ ...REPO, issue_number: pull.number });
    expect(events.filter(({ event }) => event === "merged").map(({ commit_id: sha }) => sha)).toEqual([head]);
    const newer = await world.app.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
      ...REPO,
      pull_number: pull.number,
      headers: { "x-github-api-version": "2026-03-10" },
    });
    expect(newer.data).not.toHaveProperty("merge_commit_sha");
  });

  // https://github.com/bors-ng/bors-ng/issues/240
  it("leaves a closed, unmerged pull request when the branch is deleted too early", async () => {
    await createBranch(world.app, "hasty-base", { "hasty.txt": "x" });
    const head = await createBranch(world.app, "hasty", { "hasty2.txt": "x" }, "hasty-base");
    const pull = await openPull("hasty", "hasty-base");
    const release = world.sandbox.faults.hold("merged");
    await move("hasty-base", head);
    await world.app.rest.git.deleteRef({ ...REPO, ref: "heads/hasty" });
    release();
    await world.sandbox.idle();
    expect(await read(pull.number)).toMatchObject({ state: "closed", merged: false });
  });
});

// github-facts 36
describe("a head that is reset", () => {
  it("to its base closes the pull request", async () => {
    await createBranch(world.app, "reset", { "reset.txt": "x" });
    const pull = await openPull("reset");
    await move("reset", main, true);
    expect(await read(pull.number)).toMatchObject({ state: "closed", merged: false });
  });

  it("by force while the pull request is closed bars reopening it", async () => {
    await createBranch(world.app, "forced", { "forced.txt": "x" });
    const pull = await openPull("forced");
    const change = (state: "open" | "closed") =>
      world.app.rest.pulls.update({ ...REPO, pull_number: pull.number, state });
    await change("closed");
    expect((await change("open")).data.state).toBe("open");
    await change("closed");
    await move("forced", await commitFiles(world.app, main, { "forced.txt": "other" }), true);
    expect((await refusalOf(change("open"))).status).toBe(422);
  });

  it("to other commits in one update keeps it open", async () => {
    await createBranch(world.app, "rewritten", { "rewritten.txt": "x" });
    const pull = await openPull("rewritten");
    const next = await commitFiles(world.app, main, { "rewritten.txt": "y" });
    await move("rewritten", next, true);
    expect(await read(pull.number)).toMatchObject({ state: "open", head: { sha: next } });
  });
});

// https://docs.github.com/en/rest/pulls/pulls#merge-a-pull-request
describe("merging a pull request", () => {
  const merge = (number: number, more: object = {}) =>
    world.app.rest.pulls.merge({ ...REPO, pull_number: number, ...more });

  it("is refused with 409 when the head is not the one that was seen", async () => {
    await createBranch(world.app, "seen", { "seen.txt": "x" });
    const pull = await openPull("seen");
    expect(await refusalOf(merge(pull.number, { sha: main }))).toMatchObject({
      status: 409,
      message: "Head branch was modified. Review and try the merge again.",
    });
    expect((await merge(pull.number, { sha: pull.head.sha })).data.merged).toBe(true);
    expect(await read(pull.number)).toMatchObject({ state: "closed", merged: true });
    expect((await refusalOf(merge(pull.number))).status).toBe(405);
  });

  it("is refused with 405 for drafts and for methods the repository does not allow", async () => {
    await createBranch(world.app, "draft", { "draft.txt": "x" });
    const pull = await openPull("draft", "main", true);
    expect(await refusalOf(merge(pull.number))).toMatchObject({
      status: 405,
      message: "Pull Request is still a draft",
    });
    await world.app.graphql(
      "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }",
      { id: pull.node_id },
    );
    const repository = world.sandbox.world.findRepository("acme", "shop");
    repository?.allowedMergeMethods.delete("squash");
    expect(await refusalOf(merge(pull.number, { merge_method: "squash" }))).toMatchObject({
      status: 405,
      message: "Squash merges are not allowed on this repository.",
    });
    repository?.allowedMergeMethods.add("squash");
    expect((await read(pull.number)).draft).toBe(false);
  });

  it("squashes, rebases or merges as asked", async () => {
    for (const method of ["squash", "rebase", "merge"] as const) {
      const base = `by-${method}`;
      await createBranch(world.app, base, { [`${base}.txt`]: "x" });
      const first = await createBranch(world.app, `two-${method}`, { "one.txt": "1" }, base, "First");
      await move(`two-${method}`, await commitFiles(world.app, first, { "two.txt": "2" }, "Second"));
      const pull = await openPull(`two-${method}`, base);
      const { data } = await merge(pull.number, { merge_method: method });
      const { data: commit } = await world.app.rest.git.getCommit({ ...REPO, commit_sha: data.sha });
      const expected = {
        squash: { parents: 1, title: `Pull two-squash (#${pull.number})` },
        rebase: { parents: 1, title: "Second" },
        merge: { parents: 2, title: `Merge pull request #${pull.number} from acme/two-merge` },
      };
      expect({ parents: commit.parents.length, title: commit.message.split("\n")[0] }).toEqual(expected[method]);
      expect(await readTip(world.app, base)).toBe(data.sha);
    }
  });

  // github-facts 12: a merge that touches workflows is refused without the permission
  it("that brings in a workflow is refused for an App and not for a person", async () => {
    const writer = world.as(world.tokens.writer);
    await createBranch(writer, "workflow", { ".github/workflows/more.yml": "on: push\n" });
    const pull = await openPull("workflow");
    const refusal = await refusalOf(merge(pull.number));
    expect(refusal.status).toBe(403);
    expect(refusal.message).toContain("without `workflows` permission");
    expect((await writer.rest.pulls.merge({ ...REPO, pull_number: pull.number })).data.merged).toBe(true);
  });

  it("closes the issues its body names when it goes into the default branch", async () => {
    const issue = (await world.app.rest.issues.create({ ...REPO, title: "To be closed" })).data.number;
    await createBranch(world.app, "closing", { "closing.txt": "x" });
    const { data } = await world.app.rest.pulls.create({
      ...REPO,
      head: "closing",
      base: "main",
      title: "Close",
      body: `Closes #${issue}`,
    });
    await merge(data.number);
    expect((await world.app.rest.issues.get({ ...REPO, issue_number: issue })).data.state).toBe("closed");
  });

  // https://github.blog/changelog/2020-05-19-pull-request-retargeting/
  it("moves what was stacked on its branch once that branch is deleted", async () => {
    await createBranch(world.app, "lower", { "lower.txt": "x" });
    await createBranch(world.app, "upper", { "upper.txt": "x" }, "lower");
    const lower = await openPull("lower");
    const upper = await openPull("upper", "lower");
    await merge(lower.number);
    await world.app.rest.git.deleteRef({ ...REPO, ref: "heads/lower" });
    expect(await read(upper.number)).toMatchObject({ state: "open", base: { ref: "main" } });
  });
});

describe("a required check", () => {
  it("stops the merge until the App it is pinned to has passed it", async () => {
    await world.sandbox.createRepository({
      owner: "acme",
      name: "strict",
      fromDir: `${world.folder}/source`,
      collaborators: {},
      rules: [
        {
          branches: "main",
          type: "required_status_checks",
          rulesetId: 3,
          contexts: [{ context: "gate", appId: world.sandbox.app.id }],
        },
      ],
    });
    const strict = { owner: "acme", repo: "strict" };
    const { data: ref } = await world.app.rest.git.getRef({ ...strict, ref: "heads/main" });
    const { data: tree } = await world.app.rest.git.createTree({
      ...strict,
      base_tree: ref.object.sha,
      tree: [{ path: "x", mode: "100644", type: "blob", content: "x" }],
    });
    const { data: commit } = await world.app.rest.git.createCommit({
      ...strict,
      message: "x",
      tree: tree.sha,
      parents: [ref.object.sha],
    });
    await world.app.rest.git.createRef({ ...strict, ref: "refs/heads/x", sha: commit.sha });
    const pull = await world.app.rest.pulls.create({ ...strict, head: "x", base: "main", title: "x" });
    const merge = () => world.app.rest.pulls.merge({ ...strict, pull_number: pull.data.number });
    expect(await refusalOf(merge())).toMatchObject({
      status: 405,
      message: 'Required status check "gate" is expected.',
    });
    await world.app.rest.checks.create({ ...strict, name: "gate", head_sha: commit.sha, conclusion: "success" });
    expect((await merge()).data.merged).toBe(true);
  });
});
