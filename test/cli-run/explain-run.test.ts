import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { explainRun, formatExplanation } from "../../src/cli/run/explain-run.ts";
import { decide } from "../../src/engine/decide.ts";
import { listChunksOf } from "../../src/engine/derive/chunks-of.ts";
import type { CommandName } from "../../src/contracts/commands.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { failFloor, failReview, passFloor, passReview } from "../engine-stories/results.ts";
import {
  CATEGORIES,
  FOUR_CHUNKS,
  MONTHS,
  tellEscalation,
  tellMerged,
  tellProposal,
} from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";

const months = chunkId("months");
const categories = chunkId("categories");

function explain(story: Story): Readonly<Record<string, string | null>> {
  const { chunks } = explainRun(story.state, story.now, TIMING);
  return Object.fromEntries(chunks.map(({ chunk, why }) => [chunk, why]));
}

function verify(story: Story, ...ids: ReadonlyArray<typeof MONTHS>): Story {
  for (const chunk of ids) {
    const id = chunkId(chunk.id);
    story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
  }
  return story;
}

describe("why a chunk is not running", () => {
  it("is nothing where it starts next, runs, or has landed", () => {
    const story = tellProposal().approve();
    expect(explain(story)).toMatchObject({ months: "it starts next", categories: "it starts next" });
    story.start(months).start(categories);
    expect(explain(story)).toMatchObject({ months: null, categories: null });
    story.receive(months).commit(months).floor(months, passFloor()).review(months, passReview(MONTHS)).land(months);
    expect(explain(story)).toMatchObject({
      months: null,
      budgets: "it depends on `categories`, which has not landed",
      report: "it depends on `budgets`, which has not landed",
    });
  });

  it("is that nobody approved the plan yet", () => {
    expect(explain(tellProposal())["months"]).toBe("its plan revision is not approved yet");
  });

  it("is the candidate it rides, or the one that comes first", () => {
    const story = new Story().propose([MONTHS, CATEGORIES, buildChunk("totals"), buildChunk("words")]).approve();
    story.start(months).start(categories).start(chunkId("totals")).start(chunkId("words"));
    for (const chunk of [MONTHS, CATEGORIES, buildChunk("totals")]) {
      const id = chunkId(chunk.id);
      story.receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
      if (id === months) story.land(months);
    }
    const ride = decide(story.state, story.now, TIMING).actions.find(({ kind }) => kind === "CreateCandidate");
    if (ride?.kind !== "CreateCandidate") throw new Error("nothing rides");
    expect(explain(story)["totals"]).toBe(`to do now: ${ride.reason}`);
    story.record({
      kind: "CandidateCreated",
      hash: ride.hash,
      commit: fakeSha("candidate"),
      tree: fakeSha("candidate tree"),
      base: ride.tip,
      chunks: ride.chunks,
    });
    story.dispatch({ role: "floor", subject: `candidate-${ride.hash}` });
    const words = chunkId("words");
    story
      .receive(words)
      .commit(words)
      .floor(words, passFloor())
      .review(words, passReview(buildChunk("words")));
    expect(explain(story)).toEqual({
      months: null,
      categories: "under way: running the floor on a candidate of `categories` and `totals`",
      totals: "under way: running the floor on a candidate of `categories` and `totals`",
      words: "lands after `categories` and `totals`",
    });
  });

  it("is what people have to settle elsewhere", () => {
    const story = new Story({ config: { agents: [{ name: "web" }, { name: "api" }] } })
      .propose(FOUR_CHUNKS, {
        unassignable: [{ chunk: "categories", reason: "nobody knows categories" }],
        assignments: { months: "api", budgets: "api", report: "web" },
      })
      .approve();
    expect(explain(story)).toMatchObject({
      months: "nothing new starts because of `categories`: no agent fits it",
      categories: "no agent fits it",
    });
  });

  it("is a checkpoint after something that has landed", () => {
    const story = new Story().propose(FOUR_CHUNKS, {
      checkpoints: [{ after: "months", reason: "look at the schema" }],
    });
    verify(story.approve(), MONTHS).land(months);
    expect(explain(story)["categories"]).toBe("nothing new starts because of `months`: checkpoint: look at the schema");
  });

  it("is that GitHub refuses it, or that it is tried again later", () => {
    const story = tellProposal().approve();
    const effect = decide(story.state, story.now, TIMING).actions.find(
      (action) => action.kind === "DispatchJob" && listChunksOf(action, story.state).includes(months),
    )?.key;
    story.record({
      kind: "EffectFailed",
      effect: effect ?? "",
      failure: "misconfigured",
      message: "the workflow is disabled",
      ambiguous: false,
      retryAfterMs: null,
    });
    expect(explain(story)["months"]).toMatch(/^Starting months: .* failed \(the workflow is disabled\)$/u);
    story.start(categories);
    const { job } = story.attemptOf(categories);
    story.record({ kind: "JobEnded", job, outcome: "lost", cause: "gone", usage: null, runId: 1, url: null });
    expect(explain(story)["categories"]).toMatch(/: the last job gave no result$/u);
  });

  it("is the budget, told once however many chunks it keeps", () => {
    const story = new Story({ config: { budget: { agent_runs: 1 } } }).propose(FOUR_CHUNKS).approve();
    const { waits } = explainRun(story.state, story.now, TIMING);
    expect(waits.filter(({ subject }) => subject === "budget")).toMatchObject([{ chunks: ["categories", "months"] }]);
    expect(explain(story)["months"]).toBe("the budget of 1 agent runs is used up");
  });

  it("is a file that another chunk holds, or that all agents are busy", () => {
    const shared = { files_touched: ["src/shared.js"] };
    const story = new Story({ config: { limits: { parallel: 1 } } })
      .propose([MONTHS, buildChunk("words", [], shared), buildChunk("lines", [], shared)])
      .approve();
    story.start(chunkId("words"));
    const { waits } = explainRun(story.state, story.now, TIMING);
    const find = (id: string) => waits.find(({ subject }) => subject === id);
    expect(find("lines")).toMatchObject({
      what: "its files overlap with `words`, which is under way",
      unblock: "`words` lands, is skipped or becomes a person's business",
    });
    expect(find("months")).toMatchObject({ what: "an agent is at work already", unblock: "it ends" });
  });

  it("is whoever implements it, or what holds the whole run", () => {
    const story = tellProposal().approve();
    story.command("take", "months");
    expect(explain(story)["months"]).toMatch(/^to do now: Preparing the branch of months for alice$/u);
    story.command("pause");
    expect(explain(story)["categories"]).toBe("paused by alice");
    story.command("resume");
    story.record({ kind: "IssueInterfered", what: "unlabeled", n: 1 });
    const { waits } = explainRun(story.state, story.now, TIMING);
    expect(waits.find(({ subject }) => subject === "categories")).toMatchObject({
      what: "the label was removed",
      until: story.state.interference!.at + story.state.run.config.limits.confirm_minutes * 60_000,
      unblock: "the label is set again",
    });
  });

  it("is said in whole clauses of an escalated chunk", () => {
    expect(explain(tellEscalation())["categories"]).toMatch(/^it failed the floor 3 of 3 times; `\/retry categories`/u);
    const story = tellProposal().approve();
    for (let n = 0; n < 2; n += 1) {
      const { job } = story.start(months).attemptOf(months);
      story.record({ kind: "JobEnded", job, outcome: "unusable", cause: "no file", usage: null, runId: 1, url: null });
    }
    expect(explain(story)["months"]).toMatch(/^its agent gave nothing usable 2 of 2 times; /u);
  });

  it("is the end of the run", () => {
    const story = tellProposal().approve();
    story.command("cancel");
    expect(explain(story)["months"]).toBe("the run is cancelled");
    expect(Object.values(explain(tellMerged()))).toEqual([null, null, null, null]);
  });
});

describe("an explanation for the terminal", () => {
  it("says when a wait ends by itself, and what ends it before", () => {
    const story = tellProposal().approve();
    story.command("pause");
    const text = formatExplanation(explainRun(story.state, story.now, TIMING), (at) => new Date(at).toISOString());
    expect(text).toContain("  run: paused by alice; until `/resume`, or `/cancel`\n");
    expect(text).toContain("\n  months: paused by alice; until `/resume`");
    story.command("resume");
    story.start(months);
    const running = formatExplanation(explainRun(story.state, story.now, TIMING), (at) => new Date(at).toISOString());
    expect(running).toMatch(/workflow run of implement; until the run ends, .*, at the latest 20[0-9-]+T/u);
  });
});

describe("what an explanation shows of others' words", () => {
  it("is harmless and stays on its line", () => {
    const story = tellProposal();
    story.command("pause", "", "eve\u001b]52;c;ZXZpbA==\u0007\nWaits for nothing.\u009b2J\u202e");
    const explanation = explainRun(story.state, story.now, TIMING);
    const text = formatExplanation(explanation, (at) => new Date(at).toISOString());
    expect(text).toContain("paused by eve]52;c;ZXZpbA== Waits for nothing.2J");
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(text).not.toMatch(/^Waits for nothing/mu);
  });

  it("says whether the question was asked, and why it was not", () => {
    const story = tellEscalation();
    const find = (): string | undefined =>
      formatExplanation(explainRun(story.state, story.now, TIMING), String)
        .split("\n")
        .find((line) => line.startsWith("  escalation:categories"));
    expect(find()).toMatch(/: not asked on the issue yet$/u);
    const key = explainRun(story.state, story.now, TIMING).questions[0]?.key ?? "";
    story.record({
      kind: "EffectFailed",
      effect: `comment:need:${key}`,
      failure: "misconfigured",
      message: "the issue is locked",
      ambiguous: false,
      retryAfterMs: null,
    });
    expect(find()).toMatch(/: not asked on the issue yet, since its comment failed: the issue is locked$/u);
    story.comment(`need:${key}`);
    expect(find()).toBe(`  ${key}: asked on the issue, ${story.state.comments[`need:${key}`]?.url}`);
  });
});

describe("in any run", () => {
  it("every chunk that neither runs nor is done has a reason, and starts next only where it does", () => {
    const command = fc.record({
      at: fc.nat({ max: 100 }),
      name: fc.constantFrom<CommandName>("pause", "resume", "retry", "skip", "take", "replan", "override"),
      chunk: fc.nat({ max: 4 }),
    });
    const chunks = [0, 1, 2, 3, 4].map((index) =>
      buildChunk(`c${index}`, index < 3 ? [] : [`c${index - 2}`], index === 2 ? { files_touched: ["src/c1.js"] } : {}),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 5 }), fc.nat({ max: 6 }), (commands, bad) => {
        const story = new Story({ config: { plan: { approval: "auto" }, limits: { parallel: 2 } } });
        let step = 0;
        const watch = (): void => {
          step += 1;
          for (const { at, name, chunk } of commands) if (at === step) story.command(name, `c${chunk}`);
          const { state, now } = story;
          const { actions } = decide(state, now, TIMING);
          for (const { chunk, phase, why } of explainRun(state, now, TIMING).chunks) {
            expect([chunk, phase, why]).not.toEqual([chunk, phase, expect.stringContaining("please report")]);
            if (why === null && phase !== "landed" && phase !== "skipped")
              expect(["implementing", "validating", "reviewing", "retrying"]).toContain(phase);
            if (why?.includes("it starts next") !== true) continue;
            const starts = actions.some((action) => listChunksOf(action, state).includes(chunkId(chunk)));
            expect([chunk, phase, starts]).toEqual([chunk, phase, true]);
          }
        };
        const world = buildWorld(buildDraft(chunks), {
          implement: (chunk, n) => (bad === 5 && chunk === "c0" && n < 3 ? "lost" : "done"),
          floor: (chunk, n) => (chunk === `c${bad}` && n < 3 ? failFloor() : passFloor()),
          review: (chunk, n) => (bad === 6 && n === 1 ? failReview(chunk) : passReview(chunk)),
          candidate: (ids) => (ids.length > 1 && bad === 4 ? failFloor() : passFloor()),
          conflicts: (chunk, n) => bad === 3 && chunk === "c0" && n === 1,
        });
        play(story, world, { watch });
      }),
      { numRuns: 30 },
    );
  });
});
