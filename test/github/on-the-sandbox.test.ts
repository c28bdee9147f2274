/** The port on the local GitHub, end to end; everything on the wire fits GitHub's description of its API. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { formatRunName, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import { parseSha, type JobId, type Sha } from "../../src/contracts/ids.ts";
import { deriveRequiredPermissions, REQUIRED_EVENTS } from "../../src/github/permissions.ts";
import type { CheckOutput, GitHubPort, RepositoryPort } from "../../src/github/port.ts";
import type { Sandbox } from "../../src/sandbox/sandbox-options.ts";
import type { Runner } from "../../src/sandbox/runs/runner.ts";
import { openShop, type Shop } from "./open-shop.ts";
import { failureOf } from "./stage-parts.ts";
import { makeZip } from "./make-zip.ts";
import { OPERATIONS } from "../../src/github/operations.ts";
import { FURTHER, UNDESCRIBED } from "./api-routes.ts";
import { loadOpenApi } from "./openapi.ts";
import { recordExchanges, type Recorder } from "./record-exchanges.ts";

const workflow = `name: taskfleet
run-name: taskfleet \${{ inputs.role }} \${{ inputs.job }}
on:
  workflow_dispatch:
    inputs:
      role: { type: string, required: true }
      job: { type: string, required: true }
jobs:
  work:
    runs-on: ubuntu-latest
    steps:
      - run: echo done
`;

const job = "7-add-search/plan/1" as JobId;
const branch = "taskfleet/7-add-search/integration";

let shop: Shop;
let sandbox: Sandbox;
let recorder: Recorder;
let port: GitHubPort;
let repository: RepositoryPort;
let issue = 0;
let main: Sha;

beforeAll(async () => {
  const zip = await makeZip({ "result.json": '{"v":1}' });
  const runner: Runner = async (request, host) => {
    const id = host.jobStarted({ name: "work" });
    host.saveArtifact("taskfleet-result", zip);
    host.jobCompleted(id, "success");
    const inputs = request.event.name === "workflow_dispatch" ? request.event.inputs : {};
    return { conclusion: "success", runName: formatRunName(inputs["role"] ?? "", (inputs["job"] ?? "") as JobId) };
  };
  shop = await openShop({ runner }, { [WORKFLOW_PATH]: workflow });
  ({ sandbox, issue } = shop);
  recorder = recordExchanges(sandbox.apiUrl);
  port = shop.connect();
  repository = port.repository(shop.ref);
  main = parseSha((await repository.loadBranch("main")) ?? "");
});

afterAll(async () => {
  recorder.stop();
  await shop.close();
});

describe("on the local GitHub", () => {
  it("a repository, its people and its files are read", async () => {
    expect(await port.loadApp()).toMatchObject({ login: "taskfleet[bot]" });
    expect(await repository.loadRepository()).toMatchObject({ owner: "octo", name: "shop", defaultBranch: "main" });
    expect(await repository.loadRole("mona")).toBe("maintain");
    expect(await repository.loadRole("stranger")).toBe("none");
    expect((await repository.loadFile("README.md", "main"))?.text).toContain("# Shop");
    expect(await repository.loadFile("nothing.md", "main")).toBeNull();
    expect(await repository.loadBranchRules(branch)).toEqual([]);
    expect(await repository.loadWorkflow(WORKFLOW_PATH)).toEqual({ state: "active" });
  });

  it("the App has exactly the permissions and events of the manifest", async () => {
    await port.loadApp();
    const app = recorder.exchanges.find((exchange) => exchange.path === "/app")?.received as {
      readonly permissions: unknown;
      readonly events: readonly string[];
    };
    expect(app.permissions).toEqual(deriveRequiredPermissions());
    expect(app.events.toSorted((a, b) => a.localeCompare(b))).toEqual([...REQUIRED_EVENTS]);
  });

  it("an issue is answered, and the answer is ours", async () => {
    const { id } = await repository.createComment(issue, "Working on it.");
    await repository.updateComment(id, "Done.");
    expect(await repository.loadIssue(issue)).toMatchObject({ title: "Add search", state: "open" });
    expect(await repository.loadComments(issue)).toMatchObject([{ id, body: "Done.", own: true }]);
  });

  it("a commit is made of blobs and trees, and a branch is moved to it, never back", async () => {
    const blob = await repository.createBlob("# Shop\n\nA line.\nAnother.\n");
    const tree = await repository.createTree((await repository.loadCommit(main)).tree, [
      { path: "README.md", mode: "100644", sha: blob },
      { path: "src/search.ts", mode: "100644", content: "export {};\n" },
    ]);
    const commit = await repository.createCommit({ tree, parents: [main], message: "Add search" });
    await repository.createBranch(branch, main);
    await repository.createBranch(branch, main);
    await repository.updateBranch(branch, commit);
    expect(await repository.loadBranch(branch)).toBe(commit);
    expect(await failureOf(repository.updateBranch(branch, main))).toMatchObject({ kind: "conflict" });
    expect(await failureOf(repository.createBranch(branch, main))).toMatchObject({ kind: "conflict" });
    expect((await repository.loadTree(tree))?.map((entry) => entry.path)).toContain("src/search.ts");
    expect(Buffer.from(await repository.loadBlob(blob)).toString()).toContain("Another.");
    expect(await repository.loadComparison(main, commit)).toMatchObject({
      status: "ahead",
      aheadBy: 1,
      complete: true,
      files: [
        { path: "README.md", status: "modified" },
        { path: "src/search.ts", status: "added" },
      ],
    });
  });

  it("a workflow run is started, found again, and its result read", async () => {
    const id = await repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: branch, inputs: { role: "plan", job } });
    await sandbox.idle();
    expect(id).not.toBeNull();
    expect(await repository.loadWorkflowRun(id ?? 0)).toMatchObject({ status: "completed", conclusion: "success" });
    expect((await repository.loadWorkflowRuns(job, Date.now() - 60_000)).map((run) => run.id)).toEqual([id]);
    expect(await repository.loadArtifact(id ?? 0, "taskfleet-result", "result.json", 1000)).toEqual({
      outcome: "found",
      text: '{"v":1}',
    });
    await repository.cancelRun(id ?? 0);
    const refused = repository.dispatchWorkflow({ path: WORKFLOW_PATH, ref: branch, inputs: { role: "plan" } });
    expect(await failureOf(refused)).toMatchObject({ kind: "misconfigured" });
  });

  it("a pull request gets checks and a review, and is merged at the verified commit", async () => {
    const head = (await repository.loadBranch(branch)) ?? main;
    const pull = await repository.createPull({ head: branch, base: "main", title: "Search", body: "B", draft: true });
    const check: CheckOutput = {
      name: "taskfleet/floor",
      sha: head,
      externalId: "x/1",
      status: "completed",
      conclusion: "success",
      title: "Passed",
      summary: "All gates passed.",
      annotations: Array.from({ length: 60 }, (_, n) => ({
        path: "README.md",
        startLine: n + 1,
        endLine: n + 1,
        level: "notice" as const,
        title: "t",
        message: "m",
      })),
    };
    const { id } = await repository.createCheck(check);
    await repository.updateCheck(id, { ...check, annotations: [], title: "Passed again" });
    expect(await repository.loadCheckRuns(head)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id, externalId: "x/1", conclusion: "success" })]),
    );
    expect(await repository.loadStatuses(head)).toEqual([]);
    const inline = { path: "README.md", line: 4, body: "Good." };
    const outside = { path: "README.md", line: 400, body: "Where is this?" };
    await repository.createReview(pull.number, { sha: head, event: "COMMENT", body: "PASS", comments: [inline] });
    await repository.createReview(pull.number, { sha: head, event: "COMMENT", body: "Odd", comments: [outside] });
    const reviews = await repository.loadReviews(pull.number);
    expect(reviews.map(({ own, state }) => [own, state])).toEqual([
      [true, "COMMENTED"],
      [true, "COMMENTED"],
    ]);
    expect(reviews[1]?.body).toContain("Where is this?");
    await repository.updatePull(pull.number, { title: "Search, ready" });
    await repository.markReady(pull.nodeId);
    await sandbox.idle();
    expect(await repository.loadPull(pull.number)).toMatchObject({
      draft: false,
      mergeable: true,
      title: "Search, ready",
    });
    const merge = { sha: head, method: "merge", title: "Merge", message: "" } as const;
    expect(await failureOf(repository.mergePull(pull.number, { ...merge, sha: main }))).toMatchObject({
      kind: "conflict",
    });
    const merged = await repository.mergePull(pull.number, merge);
    await sandbox.idle();
    expect(await repository.loadPull(pull.number)).toMatchObject({ merged: true, mergeCommit: merged });
    expect(await repository.loadPullsByHead(branch)).toMatchObject([{ number: pull.number, merged: true }]);
    expect(await repository.loadOpenPulls()).toEqual([]);
    expect(await repository.mergeIntoBranch("main", head, "Merge again")).toBeNull();
    expect(await repository.mergeIntoBranch(branch, merged, "Merge main")).not.toBeNull();
    await repository.deleteBranch(branch);
    await repository.deleteBranch(branch);
    expect(await repository.loadBranch(branch)).toBeNull();
    await repository.closeIssue(issue);
    expect(await repository.loadIssue(issue)).toMatchObject({ state: "closed" });
  });

  it("deliveries that failed are found and asked for again", async () => {
    sandbox.setWebhookTarget("http://127.0.0.1:1/api/github/webhooks");
    await shop.octo("POST", `/repos/octo/shop/issues/${issue}/comments`, { body: "Nobody hears this." });
    await sandbox.idle();
    const [failed] = await port.loadFailedDeliveries(0);
    expect(failed).toMatchObject({ event: "issue_comment" });
    await port.redeliver(failed?.id ?? "");
    await sandbox.idle();
    sandbox.setWebhookTarget(null);
    const tries = sandbox.deliveries.filter(({ guid }) => guid === failed?.guid);
    expect(tries.map(({ redelivery }) => redelivery)).toEqual([false, true]);
  });

  it("lists what a sweep looks at, and finds the repositories it is for", async () => {
    expect(await port.loadRepositoryRef("octo", "shop")).toEqual(shop.ref);
    expect(await port.loadRepositoryRefs()).toEqual([shop.ref]);
    expect(await repository.loadBranches("main")).toHaveLength(1);
    expect(await repository.loadLabeledIssues("taskfleet")).toEqual([]);
    const run = await repository.loadRunsOfCommit(main);
    expect(run.map(({ headSha }) => headSha).filter((sha) => sha !== main)).toEqual([]);
  });

  it("a tracker's issues are made, related and told apart", async () => {
    const { tracker } = repository;
    const { octo } = shop;
    const parent = await octo("POST", "/repos/octo/shop/issues", { title: "Parent" });
    const first = await tracker.createSubIssue(Number(parent["number"]), { title: "First", body: "" });
    const second = await tracker.createSubIssue(Number(parent["number"]), { title: "Second", body: "" });
    await tracker.addBlocker(second.number, first.id);
    expect(await tracker.loadBlockers(second.number)).toEqual([first.id]);
    await tracker.removeBlocker(second.number, first.id);
    await tracker.updateSubIssue(first.number, { state: "completed" });
    expect((await tracker.loadSubIssues(Number(parent["number"]))).map(({ state }) => state)).toEqual([
      "closed",
      "open",
    ]);
  });

  it("a review that stands in the way is dismissed", async () => {
    const tip = (await repository.loadBranch("main")) ?? main;
    const { tree } = await repository.loadCommit(tip);
    const changed = await repository.createTree(tree, [{ path: "new.md", mode: "100644", content: "New\n" }]);
    const commit = await repository.createCommit({ tree: changed, parents: [tip], message: "Add" });
    await repository.createBranch("taskfleet/8-x/integration", commit);
    const pull = await repository.createPull({
      head: "taskfleet/8-x/integration",
      base: "main",
      title: "X",
      body: "",
      draft: false,
    });
    const review = await shop.octo("POST", `/repos/octo/shop/pulls/${pull.number}/reviews`, {
      event: "REQUEST_CHANGES",
      body: "No.",
    });
    await repository.dismissReview(pull.number, Number(review["id"]), "Overruled");
    expect((await repository.loadReviews(pull.number)).map(({ state }) => state)).toEqual(["DISMISSED"]);
  });

  it("answers what `doctor` asks with a person's token", async () => {
    for (const what of ["secrets", "organization-secrets", "permissions"])
      expect(Object.keys(await shop.octo("GET", `/repos/octo/shop/actions/${what}`))).not.toEqual(["message"]);
  });

  it("every operation of the App is described, but for those that cannot be, and nothing else is", () => {
    const wanted = [...Object.keys(OPERATIONS), ...Object.keys(FURTHER)].filter(
      (route) => !Object.hasOwn(UNDESCRIBED, route),
    );
    expect(loadOpenApi().routes.toSorted()).toEqual(wanted.toSorted());
    for (const route of Object.keys(UNDESCRIBED)) expect(Object.keys(OPERATIONS)).toContain(route);
  });

  it("everything said on the wire fits GitHub's description", () => {
    const openApi = loadOpenApi();
    const problems = new Set<string>();
    const seen = new Set<string>();
    for (const exchange of recorder.exchanges) {
      const route = `${exchange.method} ${exchange.path}`;
      if (Object.hasOwn(UNDESCRIBED, route)) continue;
      seen.add(openApi.findRoute(exchange) ?? "");
      for (const problem of openApi.findProblems(exchange) ?? [`${route} is not described`]) problems.add(problem);
    }
    expect([...problems]).toEqual([]);
    const unheard = openApi.routes.filter((route) => !seen.has(route));
    // The first is asked with the App's own token by `doctor`'s tests, the second of nobody but GitHub.
    expect(unheard).toEqual(["GET /app/hook/config", "POST /app-manifests/{code}/conversions"]);
  });
});
