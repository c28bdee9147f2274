/** The repository's own workflows beside the App. Rows of docs/cases.md. */
import { describe, expect, it } from "@jest/globals";
import { CONFIG_PATH, parseBranch, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { Runner } from "../../src/sandbox/runs/runner.ts";
import { formatStageConfig } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";
import { keepStages, serveParts } from "./case-stage.ts";

const CI = ".github/workflows/ci.yml";
const files = {
  [CI]: "on: { pull_request: }\njobs:\n  ci:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo tested\n",
  [CONFIG_PATH]: formatStageConfig({ ci: "gather: true" }),
};

const open = keepStages();

/** The App's jobs by script, the repository's own succeed. */
function createRunner(): Runner {
  const scripted = createScriptedRunner({ chunks: () => buildChunks(1) });
  return async (request, host, signal) => {
    if (request.workflow.path === WORKFLOW_PATH) return scripted(request, host, signal);
    host.jobCompleted(host.jobStarted({ name: "ci" }), "success");
    return { conclusion: "success", runName: "ci" };
  };
}

describe("the repository's own workflows", () => {
  it("start for what the App commits and opens, and the feature waits for them", async () => {
    const stage = await open({ runner: createRunner() });
    const { fullName, state } = await serveParts(stage, { jobMs: 500, otherMs: 500, sweepMs: 2_000 }, files);
    const issue = await stage.startRun(fullName);
    await stage.waitForEnd(fullName, issue, 120_000);
    const own = [...state.runs.values()].filter(({ path }) => path === CI);
    // Once, on the commit that is to land: what comes before it asks for no workflows.
    expect(own.map(({ event, actor, conclusion }) => [event, actor.login, conclusion])).toEqual([
      ["pull_request", "taskfleet[bot]", "success"],
    ]);
    expect(parseBranch(own[0]?.headBranch ?? "")?.kind).toBe("integration");
    const feature = [...state.pulls.values()].find(({ baseRef }) => baseRef === "main");
    expect(state.issues.get(feature?.number ?? 0)?.author.login).toBe("taskfleet[bot]");
    // Merged at that very commit, after its end.
    expect(feature?.headSha).toBe(own[0]?.headSha);
    expect(feature?.mergedAt ?? 0).toBeGreaterThanOrEqual(own[0]?.updatedAt ?? Number.POSITIVE_INFINITY);
  }, 200_000);
});
