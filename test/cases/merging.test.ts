/** Branches, pull requests and the merge at the end. Rows of docs/cases.md. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { CONFIG_PATH, parseMarker } from "../../src/contracts/names.ts";
import type { Repository } from "../../src/sandbox/state/repository.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

const squashing = [
  "version: 1",
  "agents:",
  "  - { name: default, preset: command, command: [node, agent.mjs] }",
  "plan: { approval: auto }",
  "ci: { gather: false }",
  "merge: { feature: auto, method: squash }",
  "floor:",
  "  typecheck: { command: types }",
  "  test: { command: tests, report: '-', format: tap }",
  "  lint: { command: lint, report: '-', format: lines }",
  "  enumerate: { command: targets }",
  "",
].join("\n");

let stage: FleetStage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

interface Opened {
  readonly on: FleetStage;
  readonly fullName: string;
  readonly state: Repository;
  /** Every answer to the App's requests, as `method path status`. */
  readonly answers: readonly string[];
}

async function open(files: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const answers: string[] = [];
  stage = await openFleetStage({
    runner: createScriptedRunner({ chunks: () => buildChunks(1) }),
    log: (entry) => {
      if (entry.kind === "request") answers.push(`${entry.method} ${entry.path} ${entry.status}`);
    },
  });
  const app = await stage.serveHere({ jobMs: 500, otherMs: 500, sweepMs: 2_000 });
  stage.sandbox.setWebhookTarget(`${app.url}/api/github/webhooks`);
  const fullName = await stage.createRepository("parts", files);
  const state = stage.sandbox.world.findRepository("octo", "parts");
  if (state === null) throw new Error("it was just created");
  return { on: stage, fullName, state, answers };
}

async function until(what: string, look: () => boolean): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!look()) {
    if (Date.now() > deadline) throw new Error(`it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("merging", () => {
  it("a branch stays until GitHub has marked its pull request as merged", async () => {
    const { on, fullName, state } = await open();
    const release = on.sandbox.faults.hold("merged");
    const issue = await on.startRun(fullName);
    await until("the issue is closed", () => state.issues.get(issue)?.state === "closed");
    const pulls = [...state.pulls.values()];
    expect(pulls.length).toBeGreaterThan(0);
    const deleted = state.events.filter(({ detail }) => detail.event === "head_ref_deleted");
    expect(deleted).toEqual([]);
    release();
    await on.waitForEnd(fullName, issue, 90_000);
    expect([...state.pulls.values()].filter(({ mergedAt }) => mergedAt === null)).toEqual([]);
  }, 200_000);

  it("a protected source branch is told of, and the pull request waits for a person", async () => {
    const { on, fullName, state } = await open();
    state.rules.push({ branches: "main", type: "pull_request", rulesetId: 8, requiredApprovals: 1 });
    const issue = await on.startRun(fullName);
    const feature = (): number | undefined =>
      [...state.pulls.values()].find(({ baseRef }) => baseRef === "main")?.number;
    await until("somebody is asked", () =>
      [...state.comments.values()].some(
        (comment) => comment.issueNumber === issue && parseMarker(comment.body)?.key.startsWith("need:") === true,
      ),
    );
    const asked = [...state.comments.values()].find(
      (comment) => parseMarker(comment.body)?.key.startsWith("need:") === true,
    );
    expect(asked?.body).toMatch(/rule|protect|review/iu);
    expect(state.pulls.get(feature() ?? 0)?.mergedAt).toBeNull();
    expect(state.issues.get(issue)?.state).toBe("open");
  }, 200_000);

  it("a merge that GitHub refuses because it does not know yet whether it can be made is made later, and nobody is asked", async () => {
    const { on, fullName, state, answers } = await open({ [CONFIG_PATH]: squashing });
    // From now on GitHub is slow to find out.
    const release = on.sandbox.faults.hold("mergeability");
    const issue = await on.startRun(fullName);
    const merges = (): readonly string[] => answers.filter((answer) => /^PUT \S+\/merge /u.test(answer));
    await until("GitHub refuses the merge", () => merges().some((answer) => answer.endsWith(" 405")));
    expect(state.issues.get(issue)?.state).toBe("open");
    release();
    await on.waitForEnd(fullName, issue, 90_000);
    expect(merges().at(-1)).toMatch(/ 200$/u);
    const asked = [...state.comments.values()].filter(
      ({ body }) => parseMarker(body)?.key.startsWith("need:") === true,
    );
    expect(asked).toEqual([]);
    expect([...state.pulls.values()].find(({ baseRef }) => baseRef === "main")?.mergedAt).not.toBeNull();
  }, 200_000);
});
