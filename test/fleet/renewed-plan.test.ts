import { expect, it } from "@jest/globals";
import type { ChunkId, JobId } from "../../src/contracts/ids.ts";
import { apply } from "../../src/fleet/apply.ts";
import { fakeSha } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { passFloor } from "../engine-stories/results.ts";
import { Story } from "../engine-stories/story.ts";
import { keepRun } from "./kept-run.ts";

/** The toolchain has changed under a run, and the second baseline is captured. */
function renew(): Story {
  const id = "c0" as ChunkId;
  return new Story()
    .propose([buildChunk("c0")])
    .approve()
    .start(id)
    .receive(id)
    .commit(id)
    .floor(id, { ...passFloor(), outcome: "fail", toolchainChanged: { was: "node v24.1.0", now: "node v24.2.0" } });
}

function rebind(story: Story): Story {
  const bound = story.state.baseline.bound;
  if (bound === null) throw new Error("no baseline");
  return story.record({
    kind: "BaselineBound",
    job: `${story.run}/baseline/2` as JobId,
    baseline: { ...bound.baseline, toolchain: "node v24.2.0" },
    document: "second",
    unconfigured: [],
    notes: [],
  });
}

it.each<[string, (story: Story) => Story, readonly string[]]>([
  ["of the approved plan is committed with that plan", (story) => story, ["c0"]],
  [
    "is committed with the plan that waits for approval, not with the one before it",
    (story) => {
      story.command("replan", "and another one");
      const draft = buildDraft([buildChunk("c0"), buildChunk("c1")]);
      return story.receiveDraft(draft).commitPlan(draft);
    },
    ["c0", "c1"],
  ],
])("a renewed baseline %s", async (_case, go, chunks) => {
  const story = rebind(go(renew()));
  const tip = story.state.integration?.tip ?? fakeSha("none");
  const { load } = await keepRun(story, {
    loadBranch: () => Promise.resolve(tip),
    loadCommit: () => Promise.resolve({ sha: tip, tree: fakeSha("tree"), parents: [], message: "" }),
    createTree: () => Promise.resolve(fakeSha("new tree")),
    createCommit: () => Promise.resolve(fakeSha("renewed")),
    updateBranch: () => Promise.resolve(),
  });
  const session = await load();
  const { store } = session.fleet;
  Object.assign(store, { loadDocument: () => Promise.resolve("{}") });
  const rev = session.state.revisions.length + 1;
  const commit = {
    kind: "CommitPlan",
    key: `plan:${rev}`,
    reason: "",
    priority: "dispatch",
    probe: false,
    rev,
  } as const;
  expect(await apply(session, commit)).toBe("done");
  const renewed = session.state.revisions.at(-1);
  expect(renewed?.plan.chunks.map((chunk) => chunk.id)).toEqual(chunks);
  expect(renewed?.plan.baseline.toolchain).toBe("node v24.2.0");
});
