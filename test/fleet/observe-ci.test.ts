/** When the repository's own checks count as decided: what GitHub answers is given, what is recorded is looked at. */
import { describe, expect, it } from "@jest/globals";
import type { Sha } from "../../src/contracts/ids.ts";
import { WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { Fact } from "../../src/engine/fact.ts";
import type { CheckRun, CommitStatus, RequiredCheck, WorkflowRun } from "../../src/github/port.ts";
import { observeCi } from "../../src/fleet/observe/observe-ci.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { REPORT, tellAllLanded } from "../engine-stories/stories.ts";

const OWN = 7;
const ACTIONS = 15368;
const MINUTE = 60_000;
const CI = ".github/workflows/ci.yml";

interface World {
  readonly minutes?: number;
  readonly workflows?: Readonly<Record<string, string>>;
  readonly runs?: readonly Partial<WorkflowRun>[];
  readonly checks?: readonly Partial<CheckRun>[];
  readonly statuses?: readonly CommitStatus[];
  readonly required?: readonly RequiredCheck[];
  readonly disabled?: readonly string[];
}

/** What is recorded so many minutes after the accepted commit was pushed. @param known what was recorded before. */
async function observe(world: World, known: readonly Fact[] = []): Promise<readonly Fact[]> {
  // People are asked at once where it fails.
  const story = tellAllLanded({ config: { limits: { fix_rounds: 0 } } })
    .createAccept()
    .floorAccept(passFloor())
    .reviewAccept(passReview(REPORT))
    .commitAccept();
  story.record(...known);
  const acceptedAt = story.state.accepts.at(-1)?.acceptedAt ?? 0;
  const files = Object.entries({ [WORKFLOW_PATH]: "on: workflow_dispatch\n", ...world.workflows });
  const repository = {
    loadCheckRuns: () => Promise.resolve((world.checks ?? []).map((one) => ({ ...check, ...one }))),
    loadStatuses: () => Promise.resolve(world.statuses ?? []),
    loadRunsOfCommit: () => Promise.resolve((world.runs ?? []).map((one) => ({ ...run, ...one }))),
    loadRequiredChecks: () => Promise.resolve(world.required ?? []),
    loadTree: () => Promise.resolve(files.map(([path]) => ({ path, mode: "100644", type: "blob", sha: path }))),
    loadBlob: (path: string) => Promise.resolve(Buffer.from(files.find(([name]) => name === path)?.[1] ?? "")),
    loadWorkflow: (path: string) =>
      Promise.resolve({ state: world.disabled?.includes(path) === true ? "disabled_manually" : "active" }),
  };
  const fleet = {
    clock: { now: () => acceptedAt + (world.minutes ?? 0) * MINUTE },
    github: { loadApp: () => Promise.resolve({ id: OWN, slug: "taskfleet", login: "taskfleet[bot]" }) },
  };
  return observeCi({ state: story.state, repository, fleet } as unknown as RunSession);
}

const check: CheckRun = {
  id: 1,
  name: "build",
  appId: ACTIONS,
  externalId: "",
  status: "completed",
  conclusion: "success",
  startedAt: 0,
  completedAt: 0,
  url: "",
};
const run: WorkflowRun = {
  id: 1,
  title: "CI",
  event: "push",
  status: "completed",
  conclusion: "success",
  headSha: "a".repeat(40) as Sha,
  headBranch: null,
  updatedAt: 0,
  path: CI,
  url: "",
  createdAt: 0,
};
const lint: CommitStatus = { context: "lint", state: "success", createdAt: 0, url: null };

describe("the repository's own checks on the accepted commit", () => {
  it("are decided when every workflow that starts has passed", async () => {
    const facts = await observe({ workflows: { [CI]: "on: push\n" }, runs: [{}], checks: [{}] });
    expect(facts).toMatchObject([{ kind: "CiGathered", state: "pass", rows: [{ name: CI }, { name: "build" }] }]);
  });

  it("are not decided by what passed first while a workflow that must start has not reported", async () => {
    const workflows = { [CI]: "on: push\n", ".github/workflows/e2e.yml": "on: { pull_request: }\n" };
    expect(await observe({ workflows, runs: [{}], checks: [{}], minutes: 30 })).toEqual([]);
  });

  it("are not decided while a check that rules demand has not been reported, but do not wait for our own", async () => {
    const required = [
      { name: "scan", appId: null },
      { name: "taskfleet/floor", appId: null },
    ];
    expect(await observe({ statuses: [lint], required, minutes: 30 })).toEqual([]);
    const scan = { name: "scan" };
    expect(await observe({ statuses: [lint], checks: [scan], required })).toMatchObject([{ state: "pass" }]);
  });

  it("give a workflow that may start two minutes to appear", async () => {
    const workflows = { [CI]: "on: { push: { paths: [src/**] } }\n" };
    expect(await observe({ workflows, statuses: [lint], minutes: 1 })).toEqual([]);
    expect(await observe({ workflows, statuses: [lint], minutes: 2 })).toMatchObject([{ state: "pass" }]);
  });

  it("do not wait for a workflow that is switched off or started by something else", async () => {
    const workflows = {
      [CI]: "on: push\n",
      ".github/workflows/nightly.yml": "on: { schedule: [{ cron: '0 0 * * *' }] }\n",
    };
    expect(await observe({ workflows, statuses: [lint], disabled: [CI], minutes: 3 })).toMatchObject([
      { state: "pass" },
    ]);
  });

  it("are passed after two minutes where nobody checks anything", async () => {
    expect(await observe({ minutes: 1, checks: [{ name: "taskfleet/accept", appId: OWN }] })).toEqual([]);
    expect(await observe({ minutes: 2, checks: [{ name: "taskfleet/accept", appId: OWN }] })).toMatchObject([
      { state: "pass", rows: [] },
    ]);
  });

  it("of another App that take longer than two minutes are waited for", async () => {
    expect(await observe({ checks: [{ status: "in_progress", conclusion: null }], minutes: 10 })).toEqual([]);
  });

  it("that are late are shown as missing, and are no failure of the feature", async () => {
    const late = { workflows: { [CI]: "on: push\n" }, statuses: [lint], minutes: 61 };
    const [fact] = await observe(late);
    expect(fact).toMatchObject({ state: "pending" });
    expect(fact).toHaveProperty(
      "rows",
      expect.arrayContaining([expect.objectContaining({ name: CI, detail: "missing" })]),
    );
    expect(await observe({ ...late, runs: [{}] })).toMatchObject([{ state: "pass" }]);
  });

  it("that are run again and fail in the same way are known each time, and looked at without any news between", async () => {
    const workflows = { [CI]: "on: push\n" };
    const failed: World = { workflows, runs: [{ conclusion: "failure" }], minutes: 30 };
    const again: World = { workflows, runs: [{ status: "in_progress", conclusion: null }], minutes: 70 };
    const known: Fact[] = [];
    for (const [world, state] of [
      [failed, "fail"],
      [again, "pending"],
      [{ ...failed, minutes: 80 }, "fail"],
    ] as const) {
      const facts = await observe(world, known);
      expect(facts).toMatchObject([{ kind: "CiGathered", state }]);
      known.push(...facts);
      expect(await observe(world, known)).toEqual([]);
    }
  });

  it("that failed are a failure at once", async () => {
    const workflows = { [CI]: "on: push\n", ".github/workflows/e2e.yml": "on: push\n" };
    expect(await observe({ workflows, runs: [{ conclusion: "failure" }] })).toMatchObject([{ state: "fail" }]);
  });
});
