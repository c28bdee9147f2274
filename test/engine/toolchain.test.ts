import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { deriveTries } from "../../src/engine/derive/chunk-progress.ts";
import { buildPlan } from "../../src/plan/build-plan.ts";
import { fakeSha } from "../engine-stories/names.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { passFloor } from "../engine-stories/results.ts";
import { Story } from "../engine-stories/story.ts";
import type { ChunkId, JobId } from "../../src/contracts/ids.ts";
import { findRow } from "../../src/engine/table.ts";

const id = "c0" as ChunkId;
const TIMING = { staleReadMs: 1000 };

function listActions(story: Story) {
  return decide(story.state, story.now, TIMING).actions;
}

function changeToolchain(story: Story): Story {
  return story.floor(id, {
    ...passFloor(),
    outcome: "fail",
    toolchainChanged: { was: "node v24.1.0", now: "node v24.2.0" },
  });
}

function rebind(story: Story): Story {
  const bound = story.state.baseline.bound;
  if (bound === null) throw new Error("no baseline");
  return story.record({
    kind: "BaselineBound",
    job: `${story.state.run.run}/baseline/${story.state.baseline.renewals + 1}` as JobId,
    baseline: { ...bound.baseline, toolchain: "node v24.2.0" },
    document: "second",
    unconfigured: [],
    notes: [],
  });
}

function commitPlan(story: Story): Story {
  const [revision] = story.state.revisions;
  const bound = story.state.baseline.bound;
  if (revision === undefined || bound === null) throw new Error("no plan");
  const rev = story.state.revisions.length + 1;
  const { plan, hash, draft, agents } = revision;
  const next = buildPlan(plan, { planRev: rev, intentRev: 1, feature: plan.feature, baseline: bound.baseline });
  return story.record({ kind: "PlanCommitted", rev, plan: next, hash, commit: fakeSha(`plan ${rev}`), draft, agents });
}

describe("a toolchain that changes under a run", () => {
  const begin = (): Story =>
    new Story()
      .propose([buildChunk("c0")])
      .approve()
      .start(id)
      .receive(id)
      .commit(id);

  it("is nobody's try: the baseline is captured again, approval carries over, the same commit is judged anew", () => {
    const story = changeToolchain(begin());
    expect(deriveTries(findRow(story.state.chunks, id)!)).toMatchObject({ floor: 0 });
    expect(
      listActions(story).flatMap((action) => (action.kind === "DispatchJob" ? [action.dispatch.subject.role] : [])),
    ).toEqual(["baseline"]);
    rebind(story);
    expect(listActions(story).some((action) => action.kind === "CommitPlan" && action.rev === 2)).toBe(true);
    commitPlan(story);
    expect(story.state.approved).toMatchObject({ rev: 2 });
    const roles = listActions(story).flatMap((action) =>
      action.kind === "DispatchJob" ? [action.dispatch.subject.role] : [],
    );
    expect(roles).toEqual(["floor"]);
  });

  it("is a person's business the second time", () => {
    const story = commitPlan(rebind(changeToolchain(begin())));
    changeToolchain(story);
    expect(deriveNeeds(story.state, story.now).map((need) => need.key)).toEqual(["toolchain:2"]);
    expect(listActions(story).some((action) => action.kind === "DispatchJob")).toBe(false);
  });

  it("asks people when the new baseline cannot be captured, under a name of its own", () => {
    const story = changeToolchain(begin());
    const { tries } = story.state.run.config.limits;
    for (let n = 1; n <= tries; n += 1) {
      expect(deriveNeeds(story.state, story.now)).toEqual([]);
      story.record({
        kind: "BaselineRefused",
        job: `${story.state.run.run}/baseline/${n + 1}` as JobId,
        problems: [`setup failed (${n})`],
      });
    }
    expect(deriveNeeds(story.state, story.now)).toEqual([
      { key: "baseline:1", kind: "baseline", problems: [`setup failed (${tries})`] },
    ]);
    expect(listActions(story).some((action) => action.kind === "DispatchJob")).toBe(false);
  });
});
