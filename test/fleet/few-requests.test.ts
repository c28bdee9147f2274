/** What a run costs in requests where nothing goes wrong: what the App did or was told already it does not ask. */
import { afterEach, expect, it } from "@jest/globals";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

const chunks = 3;
const never = { jobMs: 3_600_000, otherMs: 3_600_000, sweepMs: 3_600_000 };

let stage: FleetStage | undefined;

afterEach(() => stage?.close());

it("a run on the happy path reads no run's state, no branch of a chunk before moving it, no tree it made itself", async () => {
  stage = await openFleetStage({ runner: createScriptedRunner({ chunks: () => buildChunks(chunks) }) });
  await stage.serveHere(never);
  const repository = await stage.createRepository("parts");
  await stage.waitForEnd(repository, await stage.startRun(repository), 120_000);
  const { byRoute, contentCreating } = stage.sandbox.requests.app;
  const count = (route: string): number => {
    const space = route.indexOf(" ");
    return byRoute[`${route.slice(0, space)} /repos/{owner}/{repo}${route.slice(space + 1)}`] ?? 0;
  };
  const jobs = count("POST /actions/workflows/{id}/dispatches");
  expect(jobs).toBeGreaterThan(3 * chunks);
  expect(count("GET /actions/runs/{id}")).toBe(0);
  expect(count("GET /actions/runs/{id}/artifacts")).toBe(jobs);
  // What the planner saw and what the feature is compared with; all other trees are made of the first.
  expect(count("GET /git/trees/{sha}")).toBe(2);
  // The configuration, the owner's, and the workflow file where the run began and where its first jobs did.
  expect(count("GET /contents/{name}")).toBeLessThanOrEqual(4);
  // Every chunk's files are new: no difference to ask for. Both are of the acceptance and the merge.
  expect(count("GET /compare/{name}")).toBeLessThanOrEqual(2);
  expect(count("GET /issues/{id}/events")).toBe(0);
  expect(count("GET /pulls/{id}")).toBeLessThanOrEqual(1);
  // Floor and review of each chunk; plan, acceptance and the run itself.
  expect(count("POST /check-runs")).toBe(2 * chunks + 3);
  expect(count("POST /pulls/{id}/reviews")).toBe(chunks);
  expect(count("POST /pulls")).toBe(chunks + 1);
  const edits = count("PATCH /issues/comments/{id}") + count("PATCH /pulls/{id}");
  // The check of the run passes before the merge and says afterwards that it was merged.
  expect(count("PATCH /check-runs/{id}")).toBe(1);
  // Status comment, report, closing the issue.
  expect(contentCreating - edits).toBe(4 * chunks + 8);
}, 150_000);
