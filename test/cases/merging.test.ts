/** Branches, pull requests and the merge at the end. Rows of docs/cases.md. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { parseMarker } from "../../src/contracts/names.ts";
import type { Repository } from "../../src/sandbox/state/repository.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

let stage: FleetStage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function open(): Promise<{ readonly on: FleetStage; readonly fullName: string; readonly state: Repository }> {
  stage = await openFleetStage({ runner: createScriptedRunner({ chunks: () => buildChunks(1) }) });
  const app = await stage.serveHere({ jobMs: 500, otherMs: 500, sweepMs: 2_000 });
  stage.sandbox.setWebhookTarget(`${app.url}/api/github/webhooks`);
  const fullName = await stage.createRepository("parts");
  const state = stage.sandbox.world.findRepository("octo", "parts");
  if (state === null) throw new Error("it was just created");
  return { on: stage, fullName, state };
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
});
