import { expect, it } from "@jest/globals";
import { GitHubFailure } from "../../src/contracts/errors.ts";
import { formatMarker } from "../../src/contracts/names.ts";
import { apply } from "../../src/fleet/apply.ts";
import type { RunSession } from "../../src/fleet/run-session.ts";
import { TakenOver } from "../../src/fleet/taken-over.ts";
import { findRow } from "../../src/engine/table.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { tellMidRun } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { APP_ID, keepRun } from "./kept-run.ts";

const ready = { kind: "MarkReady", key: "ready", reason: "", priority: "cosmetic", probe: false } as const;

/** A run with a draft of its feature's pull request, and what was asked of GitHub about it. */
function begin(markReady: () => Promise<void>): Promise<{ load: () => Promise<RunSession> }> {
  const story = new Story().propose([buildChunk("a")]);
  return keepRun(story, { loadPull: () => Promise.resolve({ draft: true }), markReady });
}

it("what people see is done by one of two processes that both believe a run theirs", async () => {
  let done = 0;
  const { load } = await begin(() => Promise.resolve(void (done += 1)));
  const both = [await load(), await load()];
  const outcomes = await Promise.allSettled(both.map((session) => apply(session, ready)));
  expect([done, outcomes.map(({ status }) => status).toSorted()]).toEqual([1, ["fulfilled", "rejected"]]);
  expect(outcomes).toContainEqual({ status: "rejected", reason: expect.any(TakenOver) });
});

it("a refusal of GitHub is told as what it is, may be tried again, and is over when that succeeds", async () => {
  let tries = 0;
  const { load } = await begin(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new GitHubFailure("transient", "out")) : Promise.resolve();
  });
  const session = await load();
  expect(await apply(session, ready)).toBe("failed");
  expect(Object.keys(session.state.failures)).toEqual([ready.key]);
  expect([await apply(session, ready), session.state.failures]).toEqual(["done", {}]);
});

it("an effect whose fact does not end it is over all the same", async () => {
  let tries = 0;
  const { load } = await keepRun(new Story().propose([buildChunk("a")]), {
    updatePull: () => {
      tries += 1;
      return tries === 1 ? Promise.reject(new GitHubFailure("misconfigured", "no")) : Promise.resolve();
    },
  });
  const session = await load();
  const show = {
    kind: "UpdateFeaturePull",
    key: "feature-body",
    reason: "",
    priority: "cosmetic",
    probe: false,
  } as const;
  expect(await apply(session, show)).toBe("failed");
  expect(Object.keys(session.state.failures)).toEqual(["feature-body"]);
  expect([await apply(session, show), session.state.failures]).toEqual(["done", {}]);
});

it.each([
  ["that was read back", "written into", 1_000],
  ["that knows all it made", "made", 0],
])("in a run %s, a check that only GitHub knows is %s", async (_, outcome, countBase) => {
  const story = new Story().propose([buildChunk("a")]);
  if (countBase > 0) story.record({ kind: "RunRebuilt", countBase });
  const externalId = `${story.run}:accept:1:candidate`;
  const made = { id: 5, appId: APP_ID, externalId, url: "https://github.com/octo/tally/runs/5" };
  const deeds: string[] = [];
  const { load } = await keepRun(story, {
    loadCheckRuns: () => Promise.resolve([{ ...made, id: 4, appId: APP_ID + 1 }, made]),
    createCheck: () => Promise.resolve(void deeds.push("made")).then(() => ({ ...made, id: 6 })),
    updateCheck: (id: number) => Promise.resolve(void deeds.push(id === made.id ? "written into" : "another's")),
  });
  const publish = {
    kind: "PublishCheck",
    key: `check:${externalId}`,
    reason: "",
    priority: "cosmetic",
    probe: false,
    name: "taskfleet/accept",
    sha: fakeSha("candidate"),
    externalId,
    subject: { kind: "run" },
    revision: "floor",
  } as const;
  expect([await apply(await load(), publish), deeds]).toEqual(["done", [outcome]]);
});

it.each([
  ["deleted, and it is not asked for again", [], "done"],
  ["not known everywhere yet, and it is tried again", ["status"], "failed"],
])("a status comment that GitHub does not find is %s", async (_, shown, outcome) => {
  const story = new Story().propose([buildChunk("a")]);
  const comments = shown.map((key) => ({ own: true, body: formatMarker({ run: story.run, key }) }));
  const { load } = await keepRun(story, {
    createComment: () => Promise.resolve({ id: 7, url: "https://github.com/octo/tally/issues/1#issuecomment-7" }),
    updateComment: () => Promise.reject(new GitHubFailure("conflict", "Not Found", { status: 404 })),
    loadComments: () => Promise.resolve(comments),
  });
  const session = await load();
  const common = { reason: "", priority: "cosmetic", probe: false } as const;
  const post = { kind: "PostComment", on: 1, marker: "status", subject: { kind: "status" } } as const;
  await apply(session, { ...common, ...post, key: "comment:status" });
  expect(await apply(session, { ...common, kind: "RefreshStatus", key: "status" })).toBe(outcome);
});

it("a pull request is looked at before it is closed: what was merged meanwhile is no pull request we closed", async () => {
  const story = tellMidRun();
  const { pulls = [] } = findRow(story.state.chunks, chunkId("categories")) ?? {};
  const number = pulls.at(-1)?.number ?? 0;
  story.command("cancel");
  const shown = { state: "open", merged: false, base: { ref: `taskfleet/${story.run}/integration` }, mergedAt: null };
  const sent: unknown[] = [];
  const { load } = await keepRun(story, {
    loadPull: () => Promise.resolve({ ...shown, number, head: { sha: fakeSha("merged by hand") } }),
    loadBranch: () => Promise.resolve(story.state.integration?.tip ?? null),
    updatePull: (...asked: readonly unknown[]) => Promise.resolve(void sent.push(asked)),
  });
  const session = await load();
  const close = {
    kind: "ClosePull",
    number,
    why: "",
    key: "close",
    reason: "",
    priority: "dispatch",
    probe: false,
  } as const;
  Object.assign(shown, { state: "closed", merged: true });
  expect(await apply(session, close)).toBe("done");
  expect([sent, session.state.closedPulls]).toEqual([[], []]);
  expect(findRow(session.state.chunks, chunkId("categories"))?.pulls.at(-1)?.settled).toBe("merged");
  Object.assign(shown, { state: "open", merged: false });
  expect(await apply(session, close)).toBe("done");
  expect([sent, session.state.closedPulls]).toEqual([[[number, { state: "closed" }]], [number]]);
});
