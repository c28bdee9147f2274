import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createBranch, readTip } from "./make-commits.ts";
import { refusalOf } from "./refusals.ts";
import { REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

let world: SandboxWorld;
let sha: string;

beforeAll(async () => {
  world = await createWorld({
    runner: async (_request, host) => {
      const job = host.jobStarted({ name: "work" });
      host.jobCompleted(job, "failure");
      return { conclusion: "failure", runName: "" };
    },
  });
  sha = await createBranch(world.app, "topic", { "x.txt": "x" });
});
afterAll(() => world.close());

const annotations = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: "x.txt",
    start_line: index + 1,
    end_line: index + 1,
    annotation_level: "warning" as const,
    message: `Line ${index + 1}`,
  }));

// https://docs.github.com/en/rest/checks/runs
describe("a check run", () => {
  it("takes 50 annotations at a time and appends those of an update", async () => {
    const output = { title: "T", summary: "S" };
    const create = (count: number) =>
      world.app.rest.checks.create({
        ...REPO,
        name: "many",
        head_sha: sha,
        output: { ...output, annotations: annotations(count) },
      });
    expect((await refusalOf(create(51))).status).toBe(422);
    const { data } = await create(50);
    await world.app.rest.checks.update({
      ...REPO,
      check_run_id: data.id,
      conclusion: "failure",
      output: { ...output, annotations: annotations(7) },
    });
    const listed = await world.app.paginate(world.app.rest.checks.listAnnotations, { ...REPO, check_run_id: data.id });
    expect(listed).toHaveLength(57);
  });

  it.each(["title", "summary", "text"] as const)("has at most 65,535 bytes of %s, counted in bytes", async (field) => {
    const create = (text: string) =>
      world.app.rest.checks.create({
        ...REPO,
        name: "long",
        head_sha: sha,
        output: { title: "T", summary: "S", [field]: text },
      });
    await create("x".repeat(65_535));
    expect((await refusalOf(create("ü".repeat(32_768)))).status).toBe(422);
  });

  it("has three buttons at most, with short words", async () => {
    const create = (actions: { label: string; description: string; identifier: string }[]) =>
      world.app.rest.checks.create({ ...REPO, name: "buttons", head_sha: sha, actions });
    const button = { label: "Retry", description: "Try again", identifier: "retry" };
    await create([button, button, button]);
    expect((await refusalOf(create([button, button, button, button]))).status).toBe(422);
    expect((await refusalOf(create([{ ...button, label: "x".repeat(21) }]))).status).toBe(422);
    expect((await refusalOf(create([{ ...button, description: "x".repeat(41) }]))).status).toBe(422);
  });

  it("is completed by a conclusion, needs one to be, and loses it when it starts again", async () => {
    const { data } = await world.app.rest.checks.create({
      ...REPO,
      name: "state",
      head_sha: sha,
      conclusion: "success",
    });
    expect(data).toMatchObject({ status: "completed", conclusion: "success" });
    expect(data.completed_at).not.toBeNull();
    const again = await world.app.rest.checks.update({ ...REPO, check_run_id: data.id, status: "in_progress" });
    expect(again.data).toMatchObject({ status: "in_progress", conclusion: null, completed_at: null });
    const incomplete = world.app.rest.checks.update({ ...REPO, check_run_id: data.id, status: "completed" } as never);
    expect((await refusalOf(incomplete)).status).toBe(422);
    const stale = world.app.rest.checks.update({ ...REPO, check_run_id: data.id, conclusion: "stale" } as never);
    expect((await refusalOf(stale)).status).toBe(422);
  });

  it("stands on a commit that exists", async () => {
    const create = world.app.rest.checks.create({ ...REPO, name: "x", head_sha: "1".repeat(40) });
    expect(await refusalOf(create)).toMatchObject({
      status: 422,
      message: `No commit found for SHA: ${"1".repeat(40)}`,
    });
  });
});

describe("the checks of a commit", () => {
  it("show each name's newest run by default, all of them on request, by page", async () => {
    const head = await createBranch(world.app, "listed", { "listed.txt": "x" });
    for (const conclusion of ["failure", "success"] as const) {
      await world.app.rest.checks.create({ ...REPO, name: "twice", head_sha: head, conclusion });
    }
    for (let n = 0; n < 35; n += 1) {
      await world.app.rest.checks.create({ ...REPO, name: `check ${n}`, head_sha: head });
    }
    const list = (more: object) => world.app.rest.checks.listForRef({ ...REPO, ref: head, ...more });
    const latest = await list({ check_name: "twice" });
    expect(latest.data.check_runs.map(({ conclusion }) => conclusion)).toEqual(["success"]);
    expect((await list({ check_name: "twice", filter: "all" })).data.total_count).toBe(2);
    const first = await list({});
    expect([first.data.total_count, first.data.check_runs.length]).toEqual([36, 30]);
    expect((await world.app.paginate(world.app.rest.checks.listForRef, { ...REPO, ref: head })).length).toBe(36);
  });

  // github-facts 4: checks of dispatched runs do not count on a pull request
  it("include those of a dispatched run, which belong to no pull request", async () => {
    const head = await createBranch(world.app, "dispatched", { "dispatched.txt": "x" });
    await world.app.rest.pulls.create({ ...REPO, head: "dispatched", base: "main", title: "Dispatched" });
    await world.app.rest.actions.createWorkflowDispatch({
      ...REPO,
      workflow_id: "work.yml",
      ref: "dispatched",
      inputs: { role: "plan", request: "1" },
    });
    await world.sandbox.idle();
    const { data } = await world.app.rest.checks.listForRef({ ...REPO, ref: head });
    expect(data.check_runs.map(({ name, app, pull_requests: pulls }) => [name, app?.slug, pulls.length])).toEqual([
      ["work", "github-actions", 0],
    ]);
  });

  it("of another App cannot be changed", async () => {
    const { data } = await world.app.rest.checks.listForRef({ ...REPO, ref: "dispatched" });
    const foreign = data.check_runs[0]?.id ?? 0;
    const update = world.app.rest.checks.update({ ...REPO, check_run_id: foreign, conclusion: "success" });
    expect((await refusalOf(update)).status).toBe(403);
  });
});

// https://docs.github.com/en/rest/commits/statuses
describe("statuses", () => {
  it("need statuses: write, which the App does not have", async () => {
    const create = (octokit: typeof world.app) =>
      octokit.rest.repos.createCommitStatus({ ...REPO, sha, state: "success", context: "ci" });
    expect((await refusalOf(create(world.app))).status).toBe(403);
    expect((await create(world.as(world.tokens.writer))).status).toBe(201);
  });

  it("are combined by their newest per context", async () => {
    const writer = world.as(world.tokens.writer);
    const tip = await readTip(world.app, "topic");
    await writer.rest.repos.createCommitStatus({ ...REPO, sha: tip, state: "failure", context: "lint" });
    expect((await world.app.rest.repos.getCombinedStatusForRef({ ...REPO, ref: "topic" })).data.state).toBe("failure");
    await writer.rest.repos.createCommitStatus({ ...REPO, sha: tip, state: "success", context: "lint" });
    const { data } = await world.app.rest.repos.getCombinedStatusForRef({ ...REPO, ref: "topic" });
    expect([data.state, data.total_count]).toEqual(["success", 2]);
    expect((await world.app.rest.repos.listCommitStatusesForRef({ ...REPO, ref: tip })).data).toHaveLength(3);
  });
});
