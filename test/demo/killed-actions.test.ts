/**
 * The demo with the App killed (SIGKILL) once per kind of action, right after the action and before it is recorded,
 * and started again each time. With TASKFLEET_DURABILITY=all, since it takes some six minutes.
 */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AppControl } from "../../src/cli/demo/demo-options.ts";
import { parseRunName } from "../../src/contracts/names.ts";
import type { Scenario } from "../../src/sandbox/sample/sample-issue.ts";
import { type Evidence, playDemo } from "./evidence.ts";
import { wholeRun } from "./whole-run.ts";

const isAsked = process.env["TASKFLEET_DURABILITY"] === "all";
const withPatience = isAsked ? describe : describe.skip;

/** What every run does that is merged. */
const always = [
  "CreateIntegration",
  "DispatchJob",
  "CommitPlan",
  "OpenFeaturePull",
  "UpdateFeaturePull",
  "CommitChangeSet",
  "OpenChunkPull",
  "PublishCheck",
  "PostReview",
  "CreateCandidate",
  "LandChunks",
  "CreateAccept",
  "CommitAccept",
  "MarkReady",
  "MergeFeature",
  "PostComment",
  "RefreshStatus",
  "DeleteBranch",
  "CloseIssue",
  "EndRun",
];

/** For what follows the end of the run, and for a start among deaths. */
const patienceMs = 180_000;

interface Played {
  readonly evidence: Evidence;
  readonly killed: readonly string[];
}

async function playWithDeaths(scenario: Scenario, ledger: string): Promise<Played> {
  let restarted: Promise<void> = Promise.resolve();
  let app: AppControl | null = null;
  const evidence = await playDemo(scenario, {
    deadlineMs: 1_500_000,
    appEnv: {
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "kill-after-actions.ts")}`,
      TASKFLEET_TEST_LEDGER: ledger,
    },
    settle: async () => {
      const deadline = performance.now() + patienceMs;
      while (!(await isClosed(app))) {
        if (performance.now() > deadline) throw new Error(`after ${patienceMs / 1000} s a run is still open`);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    },
    hooks: {
      onAppDeath: (control) => {
        app = control;
        restarted = restarted.then(async () => await restart(control));
      },
    },
  });
  await restarted;
  return { evidence, killed: readFileSync(ledger, "utf8").trim().split("\n") };
}

/** What is only shown to people comes after the end, and nobody is told of that but by its figures. */
async function isClosed(app: AppControl | null): Promise<boolean> {
  const metrics = await fetch(new URL("/metrics", app?.webhookUrl ?? "http://localhost")).then(
    (response) => response.text(),
    () => "",
  );
  return /^taskfleet_open_runs 0$/mu.test(metrics);
}

/** It may die of its next action before it is ready. */
async function restart(control: AppControl): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await control.startApp();
    } catch (error) {
      if (performance.now() > deadline || !String(error).includes("it ended with exit code null")) throw error;
    }
  }
}

withPatience("a run whose App is killed after the first action of each kind", () => {
  let folder: string;
  let played: Played;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "taskfleet-ledger-"));
    played = await playWithDeaths("default", path.join(folder, "killed"));
    console.log(`${played.evidence.summary.seconds} s, killed after: ${played.killed.join(", ")}`);
  }, 1_600_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await played?.evidence.remove();
  });

  it("was killed after each of them", () => {
    expect(played.killed).toEqual(expect.arrayContaining(always));
    expect(new Set(played.killed).size).toBe(played.killed.length);
  });

  it("starts every job once", () => {
    const jobs = played.evidence.runs.filter((title) => parseRunName(title) !== null);
    expect(jobs.length).toBeGreaterThan(20);
    expect(new Set(jobs).size).toBe(jobs.length);
  });

  it.each(Object.entries(wholeRun))("%s", async (_, holds) => await holds(played.evidence), 60_000);
});
