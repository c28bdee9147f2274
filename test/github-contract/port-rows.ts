/**
 * What the rest of Taskfleet relies on, said once: the port on the local GitHub, on the simulation's model of
 * GitHub, and on GitHub itself must all do it. The port's own words: a conflict is something that stands
 * elsewhere than we thought, terminal is what no repetition helps, misconfigured is for a person to mend.
 */
import { formatBlobName } from "../../src/contracts/blob-name.ts";
import type { JobId, Sha } from "../../src/contracts/ids.ts";
import { formatRunName, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { CheckOutput, Pull } from "../../src/github/port.ts";
import { type Behaviour, gives } from "./behaviour.ts";
import { DOCS, REPORTS } from "./links.ts";
import { commitOn, outcomeOf, type Place } from "./place.ts";

const missing = "1".repeat(40) as Sha;

function row(
  does: string,
  value: unknown,
  sources: Behaviour<Place>["sources"],
  ask: Behaviour<Place>["ask"],
): Behaviour<Place> {
  return { does, expected: gives(value), sources, ask };
}

/** A pull request of a new branch. */
async function open(place: Place, branch: string, base = "main"): Promise<{ readonly head: Sha; readonly pull: Pull }> {
  const head = await commitOn(place, branch, { [`${branch}.txt`]: "1\n" });
  const { number } = await place.repository.createPull({ head: branch, base, title: "T", body: "B", draft: false });
  await place.idle();
  return { head, pull: await place.repository.loadPull(number) };
}

async function readPull(place: Place, number: number): Promise<Pick<Pull, "state" | "merged">> {
  await place.idle();
  const { state, merged } = await place.repository.loadPull(number);
  return { state, merged };
}

const job = "7-add-search/plan/1" as JobId;
const inputs = {
  role: "plan",
  request: JSON.stringify({
    v: 1,
    role: "plan",
    run: "7-add-search",
    job,
    planRev: 1,
    commit: missing,
    documents: {},
  }),
  job,
};

export const portRows: readonly Behaviour<Place>[] = [
  row(
    "A branch is made a second time where it is already, and not elsewhere.",
    ["done", "conflict"],
    [REPORTS.refExists],
    async (place) => {
      const { repository, main } = place;
      await repository.createBranch("taskfleet/a", main);
      const again = await outcomeOf(repository.createBranch("taskfleet/a", main));
      await commitOn(place, "taskfleet/a", { "a.txt": "1\n" });
      return [again, await outcomeOf(repository.createBranch("taskfleet/a", main))];
    },
  ),
  row("A branch moves forward only.", ["conflict", true], [DOCS.refs], async (place) => {
    const { repository, main } = place;
    const tip = await commitOn(place, "taskfleet/b", { "b.txt": "1\n" });
    const back = await outcomeOf(repository.updateBranch("taskfleet/b", main));
    return [back, (await repository.loadBranch("taskfleet/b")) === tip];
  }),
  row(
    "A branch that is not there is not moved.",
    "conflict",
    [REPORTS.updateMissingRef],
    async ({ repository, main }) => outcomeOf(repository.updateBranch("taskfleet/none", main)),
  ),
  row("A branch is deleted twice without harm.", ["done", "done", null], [DOCS.refs], async ({ repository, main }) => {
    await repository.createBranch("taskfleet/c", main);
    const remove = (): Promise<string> => outcomeOf(repository.deleteBranch("taskfleet/c"));
    return [await remove(), await remove(), await repository.loadBranch("taskfleet/c")];
  }),
  row(
    "Branches are found by how their names begin.",
    [["taskfleet/prefix-one", "taskfleet/prefix-two"], []],
    [DOCS.refs],
    async ({ repository, main }) => {
      await repository.createBranch("taskfleet/prefix-one", main);
      await repository.createBranch("taskfleet/prefix-two", main);
      const found = await repository.loadBranches("taskfleet/prefix-");
      return [found.toSorted(), await repository.loadBranches("taskfleet/prefix-one/")];
    },
  ),
  row("An App knows the repositories it is installed on.", true, [DOCS.installations], async ({ port, repository }) =>
    (await port.loadRepositoryRefs()).some((ref) => JSON.stringify(ref) === JSON.stringify(repository.ref)),
  ),
  row("Objects are named by their content.", true, [DOCS.blobs], async ({ repository }) => {
    const blob = await repository.createBlob("text\n");
    return blob === formatBlobName("text\n") && Buffer.from(await repository.loadBlob(blob)).toString() === "text\n";
  }),
  row(
    "A tree keeps modes, and null takes a file out.",
    { mode: "100755", readme: false },
    [DOCS.trees],
    async ({ repository, main }) => {
      const blob = await repository.createBlob("text\n");
      const tree = await repository.createTree((await repository.loadCommit(main)).tree, [
        { path: "a/b.txt", mode: "100755", sha: blob },
        { path: "README.md", sha: null },
      ]);
      const entries = (await repository.loadTree(tree)) ?? [];
      return {
        mode: entries.find(({ path }) => path === "a/b.txt")?.mode,
        readme: entries.some(({ path }) => path === "README.md"),
      };
    },
  ),
  row("A commit says what it is made of.", true, [DOCS.commits], async ({ repository, main }) => {
    const { tree } = await repository.loadCommit(main);
    const message = "Say\n\nmore";
    const sha = await repository.createCommit({ tree, parents: [main], message });
    const read = await repository.loadCommit(sha);
    return JSON.stringify(read) === JSON.stringify({ sha, tree, parents: [main], message });
  }),
  row("A commit that is not there is a conflict.", "conflict", [DOCS.commits], ({ repository }) =>
    outcomeOf(repository.loadCommit(missing)),
  ),
  row(
    "A file is read at a branch or a commit, or is not there.",
    [true, true, null],
    [DOCS.contents],
    async ({ repository, main }) => [
      (await repository.loadFile("README.md", "main"))?.text.includes("Shop"),
      /^[0-9a-f]{40}$/u.test((await repository.loadFile("README.md", main))?.sha ?? ""),
      await repository.loadFile("nothing.md", "main"),
    ],
  ),
  row(
    "Two commits are compared from where they parted.",
    ["ahead", "behind", "identical", "diverged", [["README.md", "modified"]]],
    [DOCS.compare],
    async (place) => {
      const { repository, main } = place;
      const left = await commitOn(place, "taskfleet/left", { "left.txt": "1\n2\n" });
      const right = await commitOn(place, "taskfleet/right", { "README.md": "# Other\n" });
      const compare = async (base: Sha, head: Sha): Promise<string> =>
        (await repository.loadComparison(base, head)).status;
      const apart = await repository.loadComparison(left, right);
      return [
        await compare(main, left),
        await compare(left, main),
        await compare(main, main),
        apart.status,
        apart.files.map(({ path, status }) => [path, status]),
      ];
    },
  ),
  row("A comparison has the patch of what was added.", ["added", true], [DOCS.compare], async (place) => {
    const head = await commitOn(place, "taskfleet/patch", { "patch.txt": "1\n2\n" });
    const { files } = await place.repository.loadComparison(place.main, head);
    return [files[0]?.status, files[0]?.patch?.includes("+2")];
  }),
  row("A commit is merged into a branch once.", [true, null], [DOCS.mergeBranch], async (place) => {
    const one = await commitOn(place, "taskfleet/one", { "one.txt": "1\n" });
    await commitOn(place, "taskfleet/two", { "two.txt": "2\n" });
    const merged = await place.repository.mergeIntoBranch("taskfleet/two", one, "Merge one");
    const second = merged === null ? null : (await place.repository.loadCommit(merged)).parents[1];
    return [second === one, await place.repository.mergeIntoBranch("taskfleet/two", one, "Again")];
  }),
  row("Where both changed a file there is no merge.", "conflict", [DOCS.mergeBranch], async (place) => {
    await commitOn(place, "taskfleet/mine", { "README.md": "# Mine\n" });
    const yours = await commitOn(place, "taskfleet/yours", { "README.md": "# Yours\n" });
    return outcomeOf(place.repository.mergeIntoBranch("taskfleet/mine", yours, "Clash"));
  }),
  row("One open pull request per head and base.", "conflict", [REPORTS.pullExists], async (place) => {
    await open(place, "taskfleet/once");
    const again = { head: "taskfleet/once", base: "main", title: "T", body: "", draft: false };
    return outcomeOf(place.repository.createPull(again));
  }),
  row("None without commits.", "terminal", [DOCS.createPull], async ({ repository, main }) => {
    await repository.createBranch("taskfleet/empty", main);
    const empty = { head: "taskfleet/empty", base: "main", title: "T", body: "", draft: false };
    return outcomeOf(repository.createPull(empty));
  }),
  row(
    "A draft becomes ready, and its head is followed.",
    { draft: false, body: "C", follows: true },
    [REPORTS.graphqlDraft, DOCS.updatePull],
    async (place) => {
      const { repository } = place;
      const first = await commitOn(place, "taskfleet/draft", { "p.txt": "1\n" });
      const created = await repository.createPull({
        head: "taskfleet/draft",
        base: "main",
        title: "T",
        body: "B",
        draft: true,
      });
      await repository.updatePull(created.number, { body: "C" });
      await repository.markReady(created.nodeId);
      const more = await commitOn(place, "taskfleet/draft", { "p.txt": "2\n" }, first);
      await place.idle();
      const { draft, body, head } = await repository.loadPull(created.number);
      return { draft, body, follows: head.sha === more };
    },
  ),
  row("A closed one makes room, and the newest is listed first.", true, [DOCS.createPull], async (place) => {
    const { repository } = place;
    const { pull } = await open(place, "taskfleet/room");
    await repository.updatePull(pull.number, { state: "closed" });
    const second = await repository.createPull({
      head: "taskfleet/room",
      base: "main",
      title: "T",
      body: "",
      draft: false,
    });
    const listed = (await repository.loadPullsByHead("taskfleet/room")).map(({ number }) => number);
    const isOpen = (await repository.loadOpenPulls()).some(({ number }) => number === second.number);
    return listed.join() === [second.number, pull.number].join() && isOpen;
  }),
  row(
    "A base that comes to contain a head marks the pull request merged, and its branch may go then.",
    [
      { state: "closed", merged: true },
      { state: "closed", merged: true },
    ],
    [DOCS.indirectMerges],
    async (place) => {
      await place.repository.createBranch("taskfleet/base", place.main);
      const { head, pull } = await open(place, "taskfleet/head", "taskfleet/base");
      await place.repository.updateBranch("taskfleet/base", head);
      const before = await readPull(place, pull.number);
      await place.repository.deleteBranch("taskfleet/head");
      return [before, await readPull(place, pull.number)];
    },
  ),
  row(
    "One whose head is deleted is closed, not merged.",
    { state: "closed", merged: false },
    [REPORTS.deletedTooEarly],
    async (place) => {
      const { pull } = await open(place, "taskfleet/gone");
      await place.repository.deleteBranch("taskfleet/gone");
      return readPull(place, pull.number);
    },
  ),
  row(
    "One is merged only at the commit that was meant.",
    ["conflict", { state: "closed", merged: true }, true],
    [DOCS.mergePull],
    async (place) => {
      const { repository, main } = place;
      await repository.createBranch("taskfleet/target", main);
      const { head, pull } = await open(place, "taskfleet/source", "taskfleet/target");
      const merge = { sha: head, method: "merge", title: "Merge", message: "" } as const;
      const other = await outcomeOf(repository.mergePull(pull.number, { ...merge, sha: main }));
      const commit = await repository.mergePull(pull.number, merge);
      const { parents } = await repository.loadCommit(commit);
      return [other, await readPull(place, pull.number), parents.join() === [main, head].join()];
    },
  ),
  row(
    "Comments are ours, in order, and can be edited.",
    [
      ["One, edited.", true],
      ["Two.", true],
    ],
    [DOCS.comments],
    async ({ repository, issue }) => {
      const first = await repository.createComment(issue, "One.");
      const second = await repository.createComment(issue, "Two.");
      await repository.updateComment(first.id, "One, edited.");
      const ids = [first.id, second.id];
      return (await repository.loadComments(issue))
        .filter(({ id }) => ids.includes(id))
        .map(({ body, own }) => [body, own]);
    },
  ),
  row(
    "Nobody approves a pull request of their own; a comment is fine.",
    ["terminal", [["COMMENTED", true, "PASS"]]],
    [REPORTS.ownApproval],
    async (place) => {
      const { head, pull } = await open(place, "taskfleet/review");
      const review = { sha: head, body: "PASS", comments: [] };
      const approved = await outcomeOf(place.repository.createReview(pull.number, { ...review, event: "APPROVE" }));
      await place.repository.createReview(pull.number, { ...review, event: "COMMENT" });
      const reviews = await place.repository.loadReviews(pull.number);
      return [approved, reviews.map(({ state, own, body }) => [state, own, body])];
    },
  ),
  row(
    "A check stands on its commit under its own id, and changes.",
    [["taskfleet/floor", "x:1", "completed", "failure"]],
    [DOCS.checks],
    async (place) => {
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
      const { id } = await place.repository.createCheck(check);
      await place.repository.updateCheck(id, { ...check, status: "completed", conclusion: "failure" });
      const app = await place.port.loadApp();
      return (await place.repository.loadCheckRuns(sha))
        .filter((run) => run.id === id && run.appId === app.id)
        .map(({ name, externalId, status, conclusion }) => [name, externalId, status, conclusion]);
    },
  ),
  row("A commit without statuses has none.", [], [DOCS.statuses], async (place) =>
    place.repository.loadStatuses(await commitOn(place, "taskfleet/statuses", { "s.txt": "1\n" })),
  ),
  row(
    "A dispatched run is named, stands on its branch's tip, and is found by its job.",
    { event: "workflow_dispatch", tip: true, branch: "taskfleet/work", found: formatRunName("plan", job) },
    [REPORTS.runIds],
    async (place) => {
      const { repository, main } = place;
      await repository.createBranch("taskfleet/work", main);
      const before = place.now() - 60_000;
      const id = await repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/work", inputs });
      const run = await repository.loadWorkflowRun(id ?? 0);
      await place.idle();
      const found = (await repository.loadWorkflowRuns(job, before)).find((one) => one.id === id);
      return { event: run?.event, tip: run?.headSha === main, branch: run?.headBranch, found: found?.title };
    },
  ),
  row("An artifact that is not there is missing.", { outcome: "missing" }, [DOCS.artifacts], async (place) => {
    await place.repository.createBranch("taskfleet/artifact", place.main);
    const id = await place.repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/artifact", inputs });
    await place.idle();
    return place.repository.loadArtifact(id ?? 0, "another", "result.json", 1000);
  }),
  row("A run that is over is cancelled without harm.", "done", [DOCS.runs], async (place) => {
    await place.repository.createBranch("taskfleet/cancel", place.main);
    const id = await place.repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: "taskfleet/cancel", inputs });
    await place.idle();
    return outcomeOf(place.repository.cancelRun(id ?? 0));
  }),
  row(
    "A dispatch that lacks an input is for a person to mend; one on no branch is a conflict.",
    ["misconfigured", "conflict"],
    [REPORTS.dispatchWords, DOCS.dispatch],
    async ({ repository, main }) => {
      await repository.createBranch("taskfleet/refused", main);
      const dispatch = (ref: string, given: Readonly<Record<string, string>>): Promise<string> =>
        outcomeOf(repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref, inputs: given }));
      return [await dispatch("taskfleet/refused", { role: "plan" }), await dispatch("taskfleet/nowhere", inputs)];
    },
  ),
  row("A run that is not there is nothing.", null, [DOCS.runs], ({ repository }) => repository.loadWorkflowRun(1)),
  row("Nobody has no role.", "none", [DOCS.collaborators], ({ repository }) =>
    repository.loadRole("x-nobody-has-this-name-x"),
  ),
  row(
    "A label tells who set it, and open issues are found by it, in whatever case it is written.",
    { found: [true, false], by: true, recent: true },
    [DOCS.issues, DOCS.issueEvents],
    async (place) => {
      const { repository, issue, writer, label } = place;
      const before = place.now();
      const isFound = async (): Promise<boolean> => (await repository.loadLabeledIssues("taskfleet")).includes(issue);
      await label("taskfleet", "set");
      const set = await isFound();
      const labeling = await repository.loadLabeling(issue, "TaskFleet");
      await label("taskfleet", "taken off");
      return {
        found: [set, await isFound()],
        by: labeling?.by.login === writer,
        // GitHub tells whole seconds.
        recent: (labeling?.at ?? 0) >= Math.floor(before / 1000) * 1000,
      };
    },
  ),
  row("A label nobody set was set by nobody.", null, [DOCS.issueEvents], ({ repository, issue }) =>
    repository.loadLabeling(issue, "never-set"),
  ),
  row(
    "A second App approves what the first one opened, and takes it back.",
    [
      ["APPROVED", true, false],
      ["DISMISSED", true, false],
    ],
    [REPORTS.ownApproval, DOCS.dismissReview],
    async (place) => {
      const { head, pull } = await open(place, "taskfleet/judged");
      const review = { sha: head, body: "PASS", comments: [] };
      const { id } = await place.reviewer.createReview(pull.number, { ...review, event: "APPROVE" });
      const read = async (): Promise<unknown> => {
        const theirs = (await place.reviewer.loadReviews(pull.number)).find((one) => one.id === id);
        const ours = (await place.repository.loadReviews(pull.number)).find((one) => one.id === id);
        return [theirs?.state, theirs?.own, ours?.own];
      };
      const before = await read();
      await place.reviewer.dismissReview(pull.number, id, "Another head.");
      return [before, await read()];
    },
  ),
  row("An issue is read and closed.", ["open", "closed", null], [DOCS.issues], async ({ repository, issue }) => {
    const before = await repository.loadIssue(issue);
    await repository.closeIssue(issue);
    const after = await repository.loadIssue(issue);
    return [before?.state, after?.state, await repository.loadIssue(99_999_999)];
  }),
];
