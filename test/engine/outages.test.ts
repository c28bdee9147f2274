/** Agents that fail for something outside: what ends it decides who waits, and whether anybody is asked. */
import { describe, expect, it } from "@jest/globals";
import type { ChunkId } from "../../src/contracts/ids.ts";
import type { Remedy } from "../../src/contracts/job.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import { configSchema } from "../../src/contracts/config.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { isSameOrder } from "../../src/engine/derive/doubtful-jobs.ts";
import { deriveStops } from "../../src/engine/derive/chunk-progress.ts";
import { LONGEST_OUTAGE_MS } from "../../src/engine/derive/outage.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildDraft } from "../engine-stories/plans.ts";
import { TIMING } from "../engine-stories/play.ts";
import { tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";

const MINUTE = 60_000;
const months = chunkId("months");
const categories = chunkId("categories");
const PERSON: Remedy = { kind: "person" };

/** Two agents of one preset, and one of another. */
const config = configSchema.parse({
  agents: [
    { name: "web", description: "The page.", preset: "claude", paths: [`src/${months}.js`] },
    { name: "data", description: "The data.", preset: "claude", paths: [`src/${categories}.js`] },
    { name: "other", description: "The rest.", preset: "codex", paths: ["**"] },
  ],
});

function begin(agent = "data"): Story {
  const story = tellProposal({ config }).approve();
  for (const words of [`${months} web`, `${categories} ${agent}`]) story.command("assign", words);
  return story;
}

/** The agent's job ends because of something outside. */
function fail(story: Story, id: ChunkId, remedy: Remedy | undefined, cause = "the usage limit is reached"): Story {
  story.start(id).wait(2 * MINUTE);
  return story.record({
    kind: "JobEnded",
    job: story.attemptOf(id).job,
    outcome: "external",
    cause,
    usage: null,
    ...(remedy === undefined ? {} : { remedy }),
    runId: 1,
    url: null,
  });
}

function listStarts(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "DispatchJob" && action.dispatch.attempt !== null ? [action.dispatch.attempt.chunk] : [],
  );
}

const isAsked = (story: Story): boolean => deriveNeeds(story.state, story.now).length > 0;

describe("a usage limit or an outage", () => {
  it("is waited for by all agents of that preset until the provider says, and others go on", () => {
    const story = begin();
    expect(listStarts(story)).toEqual(expect.arrayContaining([months, categories]));
    const until = story.now + 90 * MINUTE;
    fail(story, months, { kind: "wait", until });
    const starts = listStarts(story);
    expect(starts).not.toContain(months);
    expect(starts).not.toContain(categories);
    expect(listStarts(fail(begin("other"), months, { kind: "wait", until }))).toEqual([categories]);
    const { waits, wakeAt } = decide(story.state, story.now, TIMING);
    for (const id of [months, categories])
      expect(waits.find(({ subject }) => subject.includes(`implement:${id}`))).toMatchObject({
        what: expect.stringContaining("the usage limit is reached"),
        until,
      });
    expect(wakeAt).toBeLessThanOrEqual(until);
    story.wait(until - story.now);
    expect(listStarts(story)).toEqual(expect.arrayContaining([months, categories]));
  });

  it("is nobody's try, and nobody is asked, however often it is met within a day", () => {
    const story = begin();
    for (let n = 0; n < 20; n += 1) {
      fail(story, months, { kind: "wait" });
      expect(isAsked(story)).toBe(false);
      expect(deriveStops(story.state).escalated.size).toBe(0);
      expect(listStarts(story)).not.toContain(months);
      story.wait(31 * MINUTE);
      expect(listStarts(story)).toContain(months);
    }
  });

  it("is a person's business after a day", () => {
    const story = begin();
    fail(story, months, { kind: "wait" }).wait(LONGEST_OUTAGE_MS);
    for (let n = 0; n < 3; n += 1) {
      expect(isAsked(story)).toBe(false);
      fail(story, months, { kind: "wait" }).wait(31 * MINUTE);
    }
    expect(deriveStops(story.state).escalated.get(months)).toMatchObject({ gate: "external" });
    expect(isAsked(story)).toBe(true);
  });

  it("is over when an agent of that preset comes through", () => {
    const story = begin();
    story.start(categories);
    fail(story, months, { kind: "wait", until: story.now + 600 * MINUTE });
    expect(listStarts(story)).not.toContain(months);
    story.receive(categories);
    expect(listStarts(story)).toContain(months);
  });

  it("holds up reviewers and planners likewise", () => {
    const story = tellProposal({ config: configSchema.parse({}) });
    story.command("replan", "something else");
    const job = story.dispatch({ role: "plan" });
    story.wait(MINUTE).record({
      kind: "JobEnded",
      job,
      outcome: "external",
      cause: "overloaded",
      usage: null,
      remedy: { kind: "wait", until: story.now + 60 * MINUTE },
      runId: 1,
      url: null,
    });
    expect(story.state.planning.lost).toEqual([]);
  });
});

describe("what only a person can mend", () => {
  it("stops the chunk at once, with the smallest next step", () => {
    const story = fail(begin(), months, PERSON, "the model key was refused: renew the repository secret");
    expect(deriveStops(story.state).escalated.get(months)).toMatchObject({
      gate: "external",
      reason: "its jobs gave no result: the model key was refused: renew the repository secret",
    });
    expect(listStarts(story)).not.toContain(months);
    expect(isAsked(story)).toBe(true);
  });

  it("is tried at once after `/retry`: somebody has mended it", () => {
    const story = fail(begin(), months, PERSON);
    story.command("retry", months);
    expect(listStarts(story)).toContain(months);
  });

  it("stops the planning at once", () => {
    const story = tellProposal();
    story.command("replan", "something else");
    const job = story.dispatch({ role: "plan" });
    const cause = "the model key was refused";
    story.record({
      kind: "JobEnded",
      job,
      outcome: "external",
      cause,
      usage: null,
      remedy: PERSON,
      runId: 1,
      url: null,
    });
    expect(deriveNeeds(story.state, story.now)).toMatchObject([
      { kind: "plan", why: `planning jobs gave no result: ${cause}` },
    ]);
  });
});

describe("an outside failure of which nobody knows what ends it", () => {
  it("is tried three times", () => {
    const story = begin();
    for (let n = 0; n < 3; n += 1) {
      expect(deriveStops(story.state).escalated.size).toBe(0);
      fail(story, months, undefined, "no network").wait(31 * MINUTE);
    }
    expect(deriveStops(story.state).escalated.get(months)).toMatchObject({ gate: "external" });
  });
});

describe("an attempt that may have been started already", () => {
  /** Of one that would start the answer was lost. @param from a run that would start it */
  function doubt(story: Story, from: Story = story): ChunkId {
    for (const action of decide(from.state, from.now, TIMING).actions.toReversed()) {
      if (action.kind !== "DispatchJob" || action.dispatch.attempt === null) continue;
      const { attempt, purpose } = action.dispatch;
      const effect = action.key;
      story.record(
        { kind: "EffectStarted", effect, purpose, attempt, agent: attempt.agent },
        {
          kind: "EffectFailed",
          effect,
          failure: "transient",
          message: "no answer",
          ambiguous: true,
          retryAfterMs: null,
        },
      );
      return attempt.chunk;
    }
    throw new Error("nothing would start");
  }

  it("is held in the budget", () => {
    const tight = configSchema.parse({ budget: { agent_runs: 5 } });
    const story = tellProposal({ config: tight }).approve();
    const { agentRuns } = story.state.spent;
    expect(agentRuns).toBe(4);
    expect(listStarts(story)).toHaveLength(1);
    const id = doubt(story);
    expect(listStarts(story)).toEqual([]);
    expect(isAsked(story)).toBe(false);
    // Looked for, it is no further one.
    story.wait(10 * MINUTE);
    expect(listStarts(story)).toEqual([id]);
    // Once it is known to have started the budget is used up, and people are asked.
    story.start(id);
    expect(isAsked(story)).toBe(true);
  });

  it("keeps its files and its place", () => {
    const one = configSchema.parse({ limits: { parallel: 1 } });
    const story = tellProposal({ config: one }).approve();
    const first = listStarts(story);
    const id = doubt(story, tellProposal().approve());
    expect(first).not.toEqual([id]);
    story.wait(10 * MINUTE);
    expect(listStarts(story)).toEqual([id]);
  });

  it("keeps its place also after people dropped its chunk, until it is known whether it is at work", () => {
    const story = tellProposal({ config: configSchema.parse({ limits: { parallel: 1 } }) }).approve();
    story.command("skip", doubt(story));
    expect(listStarts(story)).toEqual([]);
    const [effect = ""] = Object.keys(story.state.pending);
    story.record({ kind: "EffectEnded", effect });
    expect(listStarts(story)).toHaveLength(1);
  });

  const listStops = (story: Story): readonly string[] =>
    decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "CancelJob" ? [`job:${action.job}`] : [],
    );

  it.each(["skip", "take", "cancel"] as const)(
    "is looked for and stopped after `/%s`, once GitHub shows it",
    (name) => {
      const story = begin();
      const id = doubt(story);
      story.command(name, name === "cancel" ? "" : id);
      expect(listStops(story)).toEqual([]);
      const { wakeAt, waits } = decide(story.state, story.now, TIMING);
      expect(waits.find(({ subject }) => subject.startsWith("cancel:"))?.what).toContain("not known yet");
      story.wait((wakeAt ?? 0) - story.now).wait(5 * MINUTE);
      expect(listStops(story)).toEqual(Object.keys(story.state.pending));
      const ends = decide(story.state, story.now, TIMING).actions.some(({ kind }) => kind === "EndRun");
      expect(ends).toBe(false);
    },
  );

  it("is stopped before another agent gets the chunk", () => {
    const story = begin();
    const id = doubt(story);
    const [effect = ""] = Object.keys(story.state.pending);
    story.command("assign", `${id} other`);
    story.wait(10 * MINUTE);
    expect(listStarts(story)).not.toContain(id);
    expect(listStops(story)).toEqual([effect]);
    story.record({ kind: "EffectEnded", effect });
    expect(listStarts(story)).toContain(id);
    expect(listStops(story)).toEqual([]);
  });

  it("is stopped before the chunk is begun as another task, and goes on where the plan leaves it as it was", () => {
    const revise = (change: Partial<Chunk>): Story => {
      const story = tellProposal({ config: configSchema.parse({ limits: { parallel: 1 } }) }).approve();
      const id = doubt(story);
      const chunks = story.state.revisions[0]?.plan.chunks ?? never();
      const draft = buildDraft(chunks.map((chunk) => (chunk.id === id ? { ...chunk, ...change } : chunk)));
      story.command("replan", "otherwise");
      story
        .receiveDraft(draft)
        .commitPlan(draft)
        .comment("approval:2")
        .approve()
        .wait(10 * MINUTE);
      return story;
    };
    const same = revise({});
    expect([listStarts(same).length, listStops(same).length]).toEqual([1, 0]);
    const other = revise({ brief: "Quite another thing." });
    expect([listStarts(other).length, listStops(other).length]).toEqual([0, 1]);
  });

  it("is stopped where somebody has pushed to the chunk meanwhile, of which it knows nothing", () => {
    const story = begin();
    const id = doubt(story);
    const [{ attempt } = never()] = Object.values(story.state.pending);
    const began = attempt ?? never();
    expect(began.chunk).toBe(id);
    expect(isSameOrder(story.state, began, began)).toBe(true);
    expect(isSameOrder(story.state, { ...began, n: 2 }, began)).toBe(false);
  });

  it("is looked for also while the run is held, since what has begun goes on", () => {
    const story = begin();
    const id = doubt(story);
    story.command("pause");
    expect(listStarts(story)).toEqual([]);
    story.wait(10 * MINUTE);
    const looks = decide(story.state, story.now, TIMING).actions.filter(({ kind }) => kind === "DispatchJob");
    expect(looks).toMatchObject([{ probe: true, dispatch: { attempt: { chunk: id } } }]);
    expect(listStops(story)).toEqual([]);
  });

  it("is remembered as it was, whatever has landed since", () => {
    const story = begin();
    doubt(story);
    const [[effect, former] = never()] = Object.entries(story.state.pending);
    const attempt = { ...(former.attempt ?? never()), base: fakeSha("a later tip") };
    story.record({ kind: "EffectStarted", effect, purpose: "", attempt, agent: "another" });
    expect(story.state.pending[effect]).toMatchObject({ attempt: former.attempt, agent: former.agent });
  });
});

describe("a planner that may have been started already", () => {
  it("is left alone while the run is paused, and stopped once another plan is asked for", () => {
    const story = new Story();
    story.record({ kind: "IntegrationCreated", commit: fakeSha("intake"), intentBlob: fakeSha("intent") });
    const due = decide(story.state, story.now, TIMING).actions.find(
      (action) => action.kind === "DispatchJob" && action.dispatch.subject.role === "plan",
    );
    if (due?.kind !== "DispatchJob") throw new Error("no planner is due");
    const { purpose } = due.dispatch;
    story.record({ kind: "EffectStarted", effect: due.key, purpose, agent: "default" });
    const isStopped = (): boolean =>
      decide(story.state, story.now, TIMING).actions.some(
        (action) => action.kind === "CancelJob" && action.job === due.dispatch.job,
      );
    story.command("pause");
    story.wait(10 * MINUTE);
    expect(isStopped()).toBe(false);
    story.command("replan", "otherwise");
    story.command("pause");
    expect(isStopped()).toBe(true);
  });
});

function never(): never {
  throw new Error("nothing is in doubt");
}
