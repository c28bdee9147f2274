/** Branches, pull requests and the merge at the end. Rows of docs/cases.md. */
import { describe, expect, it } from "@jest/globals";
import { CONFIG_PATH, parseMarker } from "../../src/contracts/names.ts";
import { type FleetStage, formatStageConfig } from "../fleet-stage/fleet-stage.ts";
import { type CaseRepository, keepStages, serveParts } from "./case-stage.ts";

const squashing = formatStageConfig({ merge: "feature: auto, method: squash" });

const openStage = keepStages();

interface Opened extends CaseRepository {
  readonly on: FleetStage;
  /** Every answer to the App's requests, as `method path status`. */
  readonly answers: readonly string[];
}

async function open(files: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const answers: string[] = [];
  const on = await openStage({
    log: (entry) => {
      if (entry.kind === "request") answers.push(`${entry.method} ${entry.path} ${entry.status}`);
    },
  });
  return { on, answers, ...(await serveParts(on, { jobMs: 500, otherMs: 500, sweepMs: 2_000 }, files)) };
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
