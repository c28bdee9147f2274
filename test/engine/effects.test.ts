import { describe, expect, it } from "@jest/globals";
import type { Action } from "../../src/engine/action.ts";
import { decide } from "../../src/engine/decide.ts";
import type { Fact } from "../../src/engine/fact.ts";
import { formatFactKey } from "../../src/engine/fact-key.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { chunkId } from "../engine-stories/names.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { buildDraft } from "../engine-stories/plans.ts";
import { passFloor } from "../engine-stories/results.ts";
import { MONTHS, tellMidRun, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";

const KEY = "job:7-budgets-per-category/baseline/1";

function find(story: Story, key: string) {
  return decide(story.state, story.now, TIMING).actions.find((action) => action.key === key);
}

function fail(story: Story, change: Partial<Extract<Fact, { kind: "EffectFailed" }>>, effect = KEY): Story {
  return story.record({
    kind: "EffectFailed",
    effect,
    failure: "transient",
    message: "GitHub answers 502",
    ambiguous: false,
    retryAfterMs: null,
    ...change,
  });
}

describe("an effect that may have happened", () => {
  it("is waited for until GitHub must show it, then looked for", () => {
    const story = new Story().intake().record({ kind: "EffectStarted", effect: KEY });
    expect(find(story, KEY)).toBeUndefined();
    const { waits, wakeAt } = decide(story.state, story.now, TIMING);
    const wait = waits.find((entry) => entry.subject === KEY);
    expect(wait?.what).toContain("it may have happened already");
    const until = wait?.until ?? 0;
    expect(until).toBeGreaterThanOrEqual(story.now + TIMING.staleReadMs);
    expect(wakeAt).toBeLessThanOrEqual(until);
    story.wait(until - story.now - 1);
    expect(find(story, KEY)).toBeUndefined();
    story.wait(1);
    expect(find(story, KEY)).toMatchObject({ kind: "DispatchJob", probe: true });
  });

  it("is not looked for when it surely did not happen", () => {
    const story = new Story().intake().record({ kind: "EffectStarted", effect: KEY });
    fail(story, { ambiguous: false }).wait(10_000);
    expect(find(story, KEY)).toMatchObject({ probe: false });
  });

  it("stays in doubt after an answer that never came", () => {
    const story = new Story().intake().record({ kind: "EffectStarted", effect: KEY });
    fail(story, { ambiguous: true }).wait(10_000);
    expect(find(story, KEY)).toBeUndefined();
    story.wait(2 * TIMING.staleReadMs);
    expect(find(story, KEY)).toMatchObject({ probe: true });
  });

  it("is over once its fact is there", () => {
    const story = new Story().intake().record({ kind: "EffectStarted", effect: KEY });
    story.dispatch({ role: "baseline" });
    expect(story.state.pending).toEqual({});
    expect(find(story, KEY)).toBeUndefined();
  });
});

describe("an effect that failed", () => {
  it("is tried again later and later, and what else there is to do goes on", () => {
    const story = new Story().intake();
    const waited: number[] = [];
    for (let times = 0; times < 12; times += 1) {
      const before = story.now;
      fail(story, {});
      expect(find(story, KEY)).toBeUndefined();
      expect(find(story, "job:7-budgets-per-category/plan/1")).toBeDefined();
      while (find(story, KEY) === undefined) story.wait(1_000);
      waited.push((story.now - before) / 1_000);
    }
    expect(waited).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
  });

  it("waits as long as GitHub asks", () => {
    const story = fail(new Story().intake(), { retryAfterMs: 90_000 });
    story.wait(89_999);
    expect(find(story, KEY)).toBeUndefined();
    expect(find(story.wait(1), KEY)).toBeDefined();
  });

  it("is shown to people at once when only they can change it, and only then", () => {
    expect(deriveNeeds(fail(new Story().intake(), {}).state, 0)).toEqual([]);
    const story = fail(new Story().intake(), { failure: "misconfigured", message: "Actions are disabled" });
    expect(deriveNeeds(story.state, story.now)).toEqual([
      { key: `failure:${KEY}`, kind: "failure", effect: KEY, message: "Actions are disabled" },
    ]);
    story.wait(30 * 60_000);
    expect(find(story, KEY)).toBeDefined();
  });

  it("that GitHub refuses is asked for again once all replicas agree, then rarely", () => {
    const story = new Story().intake();
    const waited: number[] = [];
    for (const failure of ["terminal", "transient", "terminal", "misconfigured"] as const) {
      const before = story.now;
      fail(story, { failure });
      while (find(story, KEY) === undefined) story.wait(1_000);
      waited.push((story.now - before) / 60_000);
    }
    expect(waited).toEqual([3, 4 / 60, 30, 30]);
  });

  it("asks nobody by a comment about a comment that cannot be posted", () => {
    const comment = "comment:approval:2";
    const story = fail(
      new Story().intake(),
      { failure: "misconfigured", message: "The conversation is locked" },
      comment,
    );
    expect(deriveNeeds(story.state, story.now)).toEqual([]);
  });
});

describe("results that come late or twice", () => {
  const months = chunkId("months");

  it("change nothing of an attempt that is over", () => {
    const story = tellProposal().approve().start(months).receive(months).commit(months);
    const former = story.attemptOf(months);
    const floor = (): Story => story.floor(months, passFloor());
    floor();
    const after = story.attemptOf(months);
    // The same change set, commit and floor once more.
    story.record(
      {
        kind: "ChangeSetReceived",
        job: former.job,
        chunk: months,
        attempt: 1,
        document: "other",
        files: [],
        problems: [],
        summary: "other",
        context: null,
      },
      { kind: "ChangeSetCommitted", chunk: months, attempt: 1, head: story.state.run.fork, tree: story.state.run.fork },
    );
    floor();
    expect(story.attemptOf(months)).toEqual(after);
  });

  it("do not count for another commit than the one they are about", () => {
    const story = tellProposal().approve().start(months).receive(months).commit(months);
    const job = story.dispatch({ role: "floor", subject: "chunk-months" }, 1);
    story.record({
      kind: "FloorComputed",
      job,
      subject: { kind: "attempt", chunk: months, attempt: 1 },
      commit: story.state.run.fork,
      result: passFloor(),
      document: "",
    });
    expect(story.attemptOf(months).stage).toBe("committed");
  });

  it("end a job only once", () => {
    const story = new Story().intake();
    const job = story.dispatch({ role: "baseline" });
    story.endJob(job, "lost", "no runner").endJob(job, "lost", "no runner");
    expect(story.state.baseline.lost).toEqual(["no runner"]);
  });
});

describe("what people see", () => {
  it("edits the status comment only when something has changed, and not all the time", () => {
    const story = tellMidRun();
    play(story, buildWorld(buildDraft([MONTHS])), { until: (state) => state.status !== null });
    const { shown } = story.state;
    story.record({ kind: "StatusUpdated", hash: "x", shown });
    expect(find(story, "status")).toBeUndefined();
    story.record({ kind: "BranchDeleted", branch: "taskfleet/x" });
    expect(story.state.shown).toBe(shown);
    story.command("status");
    expect(find(story, "status")).toBeUndefined();
    expect(find(story.wait(60_000), "status")).toMatchObject({ kind: "RefreshStatus" });
  });

  it("tries a refused edit of the status comment no sooner than it may, though that it failed is shown as well", () => {
    const story = tellMidRun();
    play(story, buildWorld(buildDraft([MONTHS])), { until: (state) => state.status !== null });
    story.command("status");
    story.wait(60_000);
    const { shown } = story.state;
    fail(story, { retryAfterMs: 600_000 }, "status");
    expect(story.state.shown).toBeGreaterThan(shown);
    expect(find(story.wait(599_000), "status")).toBeUndefined();
    expect(find(story.wait(1_000), "status")).toBeDefined();
    // Shown at last: its former failures slow down no later edit.
    story.record({ kind: "StatusUpdated", hash: "y", shown: story.state.shown });
    expect(story.state.failures).toEqual({});
  });

  it("answers all commands of one comment once", () => {
    const story = tellMidRun();
    const on = story.state.run.issue;
    for (const line of [0, 1])
      story.record({ kind: "CommandReceived", comment: 9_000, line, on, by: "alice", name: "status", args: "" });
    const answers = decide(story.state, story.now, TIMING).actions.filter((action) =>
      action.key.startsWith("comment:answer:9000"),
    );
    expect(answers).toHaveLength(1);
    story.comment("answer:9000");
    expect(find(story, "comment:answer:9000")).toBeUndefined();
  });

  it("lets the posting of a question refresh the status, which links to it", () => {
    const story = new Story().propose([MONTHS]);
    const { shown } = story.state;
    story.comment("approval:2");
    expect(story.state.shown).toBeGreaterThan(shown);
  });
});

describe("a fact's key", () => {
  it("is the same for the same happening and another for another", () => {
    const { facts } = tellMidRun();
    const once = new Set<string>();
    for (const { fact } of facts) {
      const key = formatFactKey(fact);
      expect(formatFactKey(structuredClone(fact))).toBe(key);
      if (fact.kind === "EffectStarted" || fact.kind === "EffectFailed") continue;
      expect([key, once.has(key)]).toEqual([key, false]);
      once.add(key);
    }
  });
});

describe("a check run", () => {
  it("that may have been created is looked for, also when it has to say something else by now", () => {
    const story = tellProposal();
    const created = (): Action | undefined =>
      decide(story.state, story.now, TIMING).actions.find((action) => action.kind === "PublishCheck");
    const first = created();
    expect(first).toMatchObject({ probe: false, revision: "proposed" });
    story.record({ kind: "EffectStarted", effect: first?.key ?? "" });
    story.approve();
    expect(created()).toBeUndefined();
    story.wait(2 * TIMING.staleReadMs);
    expect(created()).toMatchObject({ key: first?.key, probe: true, revision: "approved" });
  });
});

describe("a run that was read back", () => {
  it("numbers attempts and jobs above all that were forgotten", () => {
    const story = tellProposal().approve().record({ kind: "RunRebuilt", countBase: 1_000 });
    story.command("resume");
    expect(decide(story.state, story.now, TIMING).actions).toContainEqual(
      expect.objectContaining({
        dispatch: expect.objectContaining({
          subject: expect.objectContaining({ role: "implement", n: 1_001 }),
          attempt: expect.objectContaining({ n: 1_001 }),
        }),
      }),
    );
  });
});

describe("a feature pull request that a person closed", () => {
  it("is opened anew before anything is merged", () => {
    const draft = buildDraft([MONTHS]);
    const story = new Story({ config: { plan: { approval: "auto" }, merge: { feature: "auto" } } });
    play(story, buildWorld(draft), { until: (state) => state.featurePull?.ready === true });
    const number = story.state.featurePull?.number ?? 0;
    story.record({ kind: "PullSettled", number, outcome: "closed" }).command("resume");
    const kinds = decide(story.state, story.now, TIMING).actions.map((action) => action.kind);
    expect(kinds).toContain("OpenFeaturePull");
    expect(kinds).not.toContain("MergeFeature");
    const { steps } = play(story, buildWorld(draft));
    expect(steps.map(({ action }) => action.kind)).toContain("MergeFeature");
  });
});
