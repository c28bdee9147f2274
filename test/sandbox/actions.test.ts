import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { RunRequest, RunnerHost } from "../../src/sandbox/actions/runner-host.ts";
import type { RunOutcome } from "../../src/sandbox/runs/runner.ts";
import { type HookReceiver, startReceiver } from "./hook-receiver.ts";
import { commitFiles, createBranch, readTip } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { FILES, REPO, type SandboxWorld, buildOctokit, createWorld } from "./sandbox-world.ts";

type Script = (request: RunRequest, host: RunnerHost, signal: AbortSignal) => Promise<RunOutcome["conclusion"]>;

const CI =
  "name: CI\non:\n  push: { branches: ['main', 'ci-*'] }\n  pull_request:\njobs:\n  test: { runs-on: ubuntu-latest, steps: [{ run: 'true' }] }\n";
const NO_TRIGGER = "on: push\njobs:\n  x: { runs-on: ubuntu-latest, steps: [{ run: 'true' }] }\n";

const succeed: Script = async (_request, host) => {
  host.jobCompleted(host.jobStarted({ name: "test" }), "success");
  return "success";
};
let script: Script = succeed;
let now = Date.now();
let world: SandboxWorld;
let receiver: HookReceiver;
let requests: RunRequest[] = [];

beforeAll(async () => {
  world = await createWorld({
    files: { ...FILES, ".github/workflows/ci.yml": CI, ".github/workflows/plain.yml": NO_TRIGGER },
    slots: 2,
    clock: () => now,
    runner: async (request, host, signal) => {
      requests.push(request);
      return { conclusion: await script(request, host, signal), runName: "" };
    },
  });
  receiver = await startReceiver();
  world.sandbox.setWebhookTarget(receiver.url);
});
afterEach(async () => {
  script = succeed;
  await world.sandbox.idle();
  requests = [];
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const dispatch = (more: object = {}) =>
  world.app.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
    ...REPO,
    workflow_id: "work.yml",
    ref: "main",
    inputs: { role: "plan", request: "r" },
    ...more,
  });
const runOf = async (id: number) => (await world.app.rest.actions.getWorkflowRun({ ...REPO, run_id: id })).data;
const details = { return_run_details: true };

async function dispatchForId(more: object = {}): Promise<number> {
  const { data } = (await dispatch({ ...details, ...more })) as { data: { workflow_run_id: number } };
  return data.workflow_run_id;
}

// https://docs.github.com/en/rest/actions/workflows#create-a-workflow-dispatch-event
describe("dispatching a workflow", () => {
  // https://github.blog/changelog/2026-02-19-workflow-dispatch-api-now-returns-run-ids/
  it("answers 204, or 200 with the run when asked or in the version of 2026", async () => {
    expect((await dispatch()).status).toBe(204);
    expect(await dispatch(details)).toMatchObject({ status: 200, data: { workflow_run_id: expect.any(Number) } });
    expect((await dispatch({ headers: { "x-github-api-version": "2026-03-10" } })).status).toBe(200);
  });

  it("knows the run by its title at once", async () => {
    const id = await dispatchForId({ inputs: { role: "plan", request: "correlation-7" } });
    const { data } = await world.app.rest.actions.listWorkflowRuns({ ...REPO, workflow_id: "work.yml" });
    expect(data.workflow_runs.find((run) => run.id === id)?.display_title).toBe("work correlation-7");
  });

  it.each([
    ["an unknown workflow", { workflow_id: "none.yml" }, 404, "Not Found"],
    ["an unknown ref", { ref: "nowhere" }, 422, "No ref found for: nowhere"],
    [
      "a workflow without the trigger",
      { workflow_id: "plain.yml" },
      422,
      "Workflow does not have 'workflow_dispatch' trigger",
    ],
    [
      "an input the workflow does not have",
      { inputs: { role: "plan", request: "r", more: "x" } },
      422,
      'Unexpected inputs provided: ["more"]',
    ],
    ["a missing input", { inputs: { role: "plan" } }, 422, "Required input 'request' not provided"],
    [
      "inputs that are too long",
      { inputs: { role: "plan", request: "x".repeat(65_536) } },
      422,
      "inputs are too large.",
    ],
  ])("refuses %s", async (_, more, status, message) => {
    expect(await refusalOf(dispatch(more))).toMatchObject({ status, message });
  });

  it("refuses a commit as ref", async () => {
    const sha = await readTip(world.app, "main");
    expect((await refusalOf(dispatch({ ref: sha }))).status).toBe(422);
  });

  // github-facts 3: the ref's own copy of the file runs
  it("runs the file as it is on the ref", async () => {
    const writer = world.as(world.tokens.writer);
    const text = (FILES[".github/workflows/work.yml"] ?? "").replace("run-name: work", "run-name: other");
    await createBranch(writer, "changed-workflow", { ".github/workflows/work.yml": text });
    const id = await dispatchForId({ ref: "changed-workflow" });
    expect((await runOf(id)).display_title).toBe("other r");
    const none = await commitFiles(writer, await readTip(world.app, "changed-workflow"), {
      ".github/workflows/work.yml": NO_TRIGGER,
    });
    await writer.rest.git.updateRef({ ...REPO, ref: "heads/changed-workflow", sha: none });
    expect((await refusalOf(dispatch({ ref: "changed-workflow" }))).message).toBe(
      "Workflow does not have 'workflow_dispatch' trigger",
    );
  });

  it("needs actions: write", async () => {
    const refusal = await refusalOf(
      world
        .as(world.tokens.reader)
        .rest.actions.createWorkflowDispatch({ ...REPO, workflow_id: "work.yml", ref: "main" }),
    );
    expect(refusal.status).toBe(403);
  });
});

describe("a workflow run", () => {
  it("goes from requested over in_progress to completed, and says so", async () => {
    const before = receiver.received.length;
    const id = await dispatchForId();
    await world.sandbox.idle();
    expect(await runOf(id)).toMatchObject({ status: "completed", conclusion: "success", event: "workflow_dispatch" });
    const names = receiver
      .names()
      .slice(before)
      .filter((name) => name.startsWith("workflow_run"));
    expect(names.toSorted()).toEqual(["workflow_run.completed", "workflow_run.in_progress", "workflow_run.requested"]);
    const { data } = await world.app.rest.actions.listJobsForWorkflowRun({ ...REPO, run_id: id });
    expect(data.jobs.map(({ name, conclusion }) => [name, conclusion])).toEqual([["test", "success"]]);
  });

  it("waits for a free slot", async () => {
    const running = Promise.withResolvers<void>();
    const bothStarted = Promise.withResolvers<void>();
    let started = 0;
    script = async () => {
      started += 1;
      if (started === 2) bothStarted.resolve();
      await running.promise;
      return "success";
    };
    const ids = [await dispatchForId(), await dispatchForId(), await dispatchForId()];
    await bothStarted.promise;
    expect((await runOf(ids[2] ?? 0)).status).toBe("queued");
    running.resolve();
    await world.sandbox.idle();
    expect((await runOf(ids[2] ?? 0)).status).toBe("completed");
  });

  // github-facts 7
  it("that is cancelled goes on until it has ended", async () => {
    const aborted = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    script = async (_request, _host, signal) => {
      signal.addEventListener("abort", () => aborted.resolve());
      started.resolve();
      await release.promise;
      return "success";
    };
    const id = await dispatchForId();
    await started.promise;
    const cancel = () => world.app.rest.actions.cancelWorkflowRun({ ...REPO, run_id: id });
    expect((await cancel()).status).toBe(202);
    await aborted.promise;
    expect((await runOf(id)).status).toBe("in_progress");
    release.resolve();
    await world.sandbox.idle();
    expect(await runOf(id)).toMatchObject({ status: "completed", conclusion: "cancelled" });
    expect(await refusalOf(cancel())).toMatchObject({
      status: 409,
      message: "Cannot cancel a workflow run that is completed.",
    });
  });

  it("that the runner cannot start has failed to start", async () => {
    script = async () => {
      throw new Error("no machine");
    };
    const id = await dispatchForId();
    await world.sandbox.idle();
    expect((await runOf(id)).conclusion).toBe("startup_failure");
  });

  it("is found by branch, event, commit, status and time", async () => {
    await dispatchForId();
    await world.sandbox.idle();
    const count = async (more: object) =>
      (await world.app.rest.actions.listWorkflowRunsForRepo({ ...REPO, ...more })).data.total_count;
    expect(await count({ event: "workflow_dispatch", branch: "main" })).toBeGreaterThan(0);
    expect(await count({ branch: "nowhere" })).toBe(0);
    expect(await count({ head_sha: await readTip(world.app, "main"), status: "success" })).toBeGreaterThan(0);
    expect(await count({ created: ">2100-01-01" })).toBe(0);
  });
});

// https://docs.github.com/en/rest/actions/artifacts
describe("an artifact", () => {
  const bytes = new Uint8Array([80, 75, 5, 6, ...Array.from({ length: 18 }, () => 0)]);

  it("is listed by run and fetched from a signed address that expires", async () => {
    script = async (_request, host) => {
      host.saveArtifact("result", bytes);
      return "success";
    };
    const id = await dispatchForId();
    await world.sandbox.idle();
    const { data } = await world.app.rest.actions.listWorkflowRunArtifacts({ ...REPO, run_id: id });
    expect(data.artifacts.map(({ name, size_in_bytes: size }) => [name, size])).toEqual([["result", bytes.length]]);
    const artifact = { ...REPO, artifact_id: data.artifacts[0]?.id ?? 0, archive_format: "zip" };
    const zip = await world.app.rest.actions.downloadArtifact(artifact);
    expect(new Uint8Array(zip.data as ArrayBuffer)).toEqual(bytes);
    const redirect = await fetch(
      `${world.sandbox.apiUrl}/repos/acme/shop/actions/artifacts/${artifact.artifact_id}/zip`,
      {
        headers: { authorization: `Bearer ${await world.installationToken()}` },
        redirect: "manual",
      },
    );
    const location = redirect.headers.get("location") ?? "";
    expect([redirect.status, (await fetch(location)).status]).toEqual([302, 200]);
    expect((await fetch(location.replace(/sig=.{6}/, "sig=AAAAAA"))).status).toBe(403);
    now += 61_000;
    expect((await fetch(location)).status).toBe(403);
  });
});

describe("a push", () => {
  const runsAt = async (sha: string) =>
    (await world.app.rest.actions.listWorkflowRunsForRepo({ ...REPO, head_sha: sha })).data.workflow_runs.map(
      ({ name, event }) => `${name} ${event}`,
    );

  it("starts the workflows that want it, by branch", async () => {
    const wanted = await createBranch(world.app, "ci-one", { "one.txt": "1" });
    const other = await createBranch(world.app, "feature-one", { "one.txt": "1b" });
    await world.sandbox.idle();
    expect((await runsAt(wanted)).toSorted()).toEqual([".github/workflows/plain.yml push", "CI push"]);
    expect(await runsAt(other)).toEqual([".github/workflows/plain.yml push"]);
  });

  // https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs
  it.each([
    ["Work\n\nBody\n\n\nskip-checks: true", 0],
    ["Work\n\n\nTaskfleet-Run: 1\nskip-checks: true\n", 0],
    ["[skip ci] Work", 0],
    ["Work [no ci]", 0],
    ["Work\n\nskip-checks: true", 2],
    ["Work\n\n\nskip-checks: true\nSigned-off-by: x", 2],
  ])("of %j starts %i workflows", async (message, expected) => {
    const branch = `ci-${Buffer.from(message).toString("hex").slice(-40)}`;
    const sha = await createBranch(world.app, branch, { "skip.txt": message }, "main", message);
    await world.sandbox.idle();
    expect(await runsAt(sha)).toHaveLength(expected);
  });

  it("does not start anything while Actions is disabled", async () => {
    const repository = world.sandbox.world.findRepository("acme", "shop");
    if (repository === null) throw new Error("no repository");
    repository.actionsEnabled = false;
    const sha = await createBranch(world.app, "ci-disabled", { "x.txt": "x" });
    await world.sandbox.idle();
    expect(await runsAt(sha)).toEqual([]);
    expect((await refusalOf(dispatch())).status).toBe(403);
    repository.actionsEnabled = true;
  });
});

describe("a pull request", () => {
  it("starts workflows on the merge commit, shown on its head", async () => {
    const head = await createBranch(world.app, "pulled", { "pulled.txt": "x" });
    await world.sandbox.idle();
    requests = [];
    const { data } = await world.app.rest.pulls.create({ ...REPO, head: "pulled", base: "main", title: "Pulled" });
    await world.sandbox.idle();
    expect(requests.map(({ event, ref }) => [event.name, ref])).toEqual([
      ["pull_request", `refs/pull/${data.number}/merge`],
    ]);
    const merge = await world.app.rest.git.getCommit({ ...REPO, commit_sha: requests[0]?.sha ?? "" });
    expect(merge.data.parents.map(({ sha }) => sha)).toEqual([await readTip(world.app, "main"), head]);
    const checks = await world.app.rest.checks.listForRef({ ...REPO, ref: head, check_name: "test" });
    expect(checks.data.check_runs.flatMap(({ pull_requests: pulls }) => pulls.map(({ number }) => number))).toContain(
      data.number,
    );
  });

  it("in conflict starts none", async () => {
    await createBranch(world.app, "conflicted", { "README.md": "mine" });
    const tip = await commitFiles(world.app, await readTip(world.app, "main"), { "README.md": "theirs" });
    await world.app.rest.git.updateRef({ ...REPO, ref: "heads/main", sha: tip });
    await world.sandbox.idle();
    requests = [];
    await world.app.rest.pulls.create({ ...REPO, head: "conflicted", base: "main", title: "Conflicted" });
    await world.sandbox.idle();
    expect(requests).toEqual([]);
  });
});

// https://docs.github.com/en/actions/tutorials/authenticate-with-github_token
describe("a job's token", () => {
  it("has the permissions it was given, pushes without starting anything, and ends with the run", async () => {
    let token = "";
    let pushed = "";
    script = async (_request, host) => {
      token = host.issueToken({ contents: "write", issues: "read", "pull-requests": "write" });
      const job = buildOctokit(world.sandbox.apiUrl, token);
      pushed = await createBranch(job, "ci-by-token", { "token.txt": "x" });
      expect((await refusalOf(job.rest.issues.create({ ...REPO, title: "x" }))).status).toBe(403);
      const pull = await job.rest.pulls.create({ ...REPO, head: "ci-by-token", base: "main", title: "By token" });
      expect(pull.data.user?.login).toBe("github-actions[bot]");
      return "success";
    };
    const id = await dispatchForId();
    await world.sandbox.idle();
    // A script that throws has not succeeded.
    expect((await runOf(id)).conclusion).toBe("success");
    expect(requests.map(({ event }) => event.name)).toEqual(["workflow_dispatch"]);
    const { data } = await world.app.rest.actions.listWorkflowRunsForRepo({ ...REPO, head_sha: pushed });
    expect(data.total_count).toBe(0);
    expect((await refusalOf(buildOctokit(world.sandbox.apiUrl, token).rest.repos.get(REPO))).status).toBe(401);
  });

  it("that may only read cannot write", async () => {
    let refused = 0;
    script = async (_request, host) => {
      const job = buildOctokit(world.sandbox.apiUrl, host.issueToken({ contents: "read" }));
      refused = (await refusalOf(createBranch(job, "never", { "x.txt": "x" }))).status;
      return "success";
    };
    await dispatchForId();
    await world.sandbox.idle();
    expect(refused).toBe(403);
  });
});
