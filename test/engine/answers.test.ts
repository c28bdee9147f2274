import { describe, expect, it } from "@jest/globals";
import type { Violation } from "../../src/contracts/floor-result.ts";
import { decide } from "../../src/engine/decide.ts";
import { derivePlanGate } from "../../src/engine/derive/plan-gate.ts";
import { findRow } from "../../src/engine/table.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { TIMING } from "../engine-stories/play.ts";
import { failFloor, failReview, OUT_OF_SCOPE, passFloor, passReview, REGRESSION } from "../engine-stories/results.ts";
import { FOUR_CHUNKS, MONTHS, tellAllLanded, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";

const months = chunkId("months");
const LENSES = ["feasibility", "completeness", "scope"] as const;

function listActions(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.map((action) =>
    action.kind === "DispatchJob" ? `dispatch ${action.dispatch.job.split("/").slice(1).join("/")}` : action.kind,
  );
}

function listCancelled(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "CancelJob" ? [action.job.split("/").slice(1).join("/")] : [],
  );
}

describe("a job whose question nobody asks any more", () => {
  it("is stopped when a second /replan comes, and its draft is not the second one's", () => {
    const story = tellProposal();
    story.command("replan", "use redis");
    const job = story.dispatch({ role: "plan" });
    expect(listActions(story)).not.toContain("dispatch plan/3");
    story.command("replan", "no, use postgres");
    expect(listCancelled(story)).toEqual(["plan/2"]);
    expect(listActions(story)).toContain("dispatch plan/3");
    story.endJob(job).record({ kind: "DraftReceived", job, draft: buildDraft(FOUR_CHUNKS), warnings: [] });
    expect(story.state.planning.drafts).toEqual([]);
    expect(listActions(story)).toContain("dispatch plan/3");
  });

  it.each(["unusable", "external", "lost"] as const)("is no failed try when it ends %s", (outcome) => {
    const story = tellProposal();
    story.command("replan", "use redis");
    const job = story.dispatch({ role: "plan" });
    story.command("replan", "no, use postgres");
    const { planning } = story.state;
    expect(story.endJob(job, outcome, "no runner").state.planning).toEqual(planning);
  });

  it("passes no draft that it has not read", () => {
    const story = new Story().intake().bindBaseline().receiveDraft(buildDraft(FOUR_CHUNKS));
    const jobs = LENSES.map((lens) => [lens, story.dispatch({ role: "plan-review", lens })] as const);
    story.command("replan", "use postgres");
    story.receiveDraft(buildDraft([...FOUR_CHUNKS, buildChunk("postgres")]));
    for (const [lens, job] of jobs)
      story
        .endJob(job)
        .record({ kind: "PlanReviewed", job, lens, outcome: "pass", findings: [], summary: "The plan holds." });
    expect(derivePlanGate(story.state)).toMatchObject({ next: "review", missing: LENSES });
    expect(listActions(story)).not.toContain("CommitPlan");
  });

  it("passes no chunk for criteria that have changed since", () => {
    const story = new Story().propose([MONTHS]).approve();
    story.start(months).receive(months).commit(months).floor(months, passFloor());
    const { n, head } = story.attemptOf(months);
    const old = story.dispatch({ role: "review", chunk: months }, n);
    const changed = { ...MONTHS, assertions: ["another thing holds"] };
    story.command("replan", "another thing must hold");
    story.receiveDraft(buildDraft([changed])).commitPlan(buildDraft([changed]));
    story.comment("approval:2").approve();
    expect(story.attemptOf(months).stage).toBe("committed");
    expect(listCancelled(story)).toEqual(["review:months/1"]);
    story.floor(months, passFloor());
    expect(listActions(story)).toContain("dispatch review:months/2");
    story.endJob(old).record({
      kind: "VerdictVerified",
      job: old,
      subject: { kind: "attempt", chunk: months, attempt: n },
      commit: head ?? fakeSha("none"),
      result: passReview(MONTHS),
      chunks: [],
      ledger: [],
    });
    expect(story.attemptOf(months).stage).toBe("floor-passed");
  });

  it("runs the checks of the former criteria for nothing", () => {
    const story = new Story().propose([MONTHS]).approve();
    story.start(months).receive(months).commit(months);
    const { n, head } = story.attemptOf(months);
    const old = story.dispatch({ role: "floor", subject: "chunk-months" }, n);
    const changed = { ...MONTHS, assertions: ["another thing holds"] };
    story.command("replan", "another thing must hold");
    story.receiveDraft(buildDraft([changed])).commitPlan(buildDraft([changed]));
    story.comment("approval:2").approve();
    story.endJob(old).record({
      kind: "FloorComputed",
      job: old,
      subject: { kind: "attempt", chunk: months, attempt: n },
      commit: head ?? fakeSha("none"),
      result: passFloor(),
      document: "captures",
    });
    expect(story.attemptOf(months).stage).toBe("committed");
    expect(listActions(story)).toContain("dispatch floor:chunk-months/2");
  });

  it("costs the newest acceptance nothing when it was about a former one", () => {
    const story = tellAllLanded().createAccept().floorAccept(passFloor());
    const old = story.dispatch({ role: "final-review" });
    story
      .record({ kind: "SourceMoved", n: 1, sha: fakeSha("moved") })
      .createAccept()
      .floorAccept(passFloor());
    expect(listCancelled(story)).toEqual(["final-review/1"]);
    expect(listActions(story)).toContain("dispatch final-review/2");
    story.endJob(old, "unusable", "it said nothing");
    expect(story.state.accepts.at(-1)).toMatchObject({ voidReviews: 0, lostJobs: 0 });
  });

  it("keeps what it was for when it is found after a crash", () => {
    const story = tellProposal();
    story.command("replan", "use redis");
    const [action] = decide(story.state, story.now, TIMING).actions.filter((one) => one.kind === "DispatchJob");
    if (action?.kind !== "DispatchJob") throw new Error("the planner is not asked");
    const { purpose } = action.dispatch;
    story.record({ kind: "EffectStarted", effect: action.key, purpose });
    story.command("replan", "no, use postgres");
    story.record({ kind: "EffectStarted", effect: action.key, purpose: "planning 3, draft 1" });
    expect(story.state.pending[action.key]?.purpose).toBe(purpose);
  });
});

function overrule(story: Story, args: string): void {
  const pull = findRow(story.state.chunks, months)?.pulls.at(-1)?.number ?? 0;
  const comment = story.nextComment();
  story.record({ kind: "CommandReceived", comment, line: 0, on: pull, by: "alice", name: "override", args });
}

describe("criteria that change", () => {
  it.each([
    ["had been superseded", "superseded", (story: Story) => story],
    [
      "has landed for another definition",
      "landed",
      (story: Story) => story.review(months, passReview(MONTHS)).land(months),
    ],
  ] as const)("bring back no attempt that %s", (_how, stage, finish) => {
    const story = new Story().propose([MONTHS]).approve();
    finish(story.start(months).receive(months).commit(months).floor(months, passFloor()));
    const other = { ...MONTHS, brief: "Write it in quite another way, by quarters." };
    for (const [rev, chunk] of [
      [2, other],
      [3, { ...other, assertions: ["another thing holds"] }],
    ] as const) {
      const draft = buildDraft([chunk]);
      story.command("replan", "otherwise");
      story.receiveDraft(draft).commitPlan(draft).comment(`approval:${rev}`).approve();
      expect(story.attemptOf(months).stage).toBe(stage);
    }
    expect(listActions(story)).toContain("dispatch implement:months/2");
  });

  it.each([
    [
      "does not fit what has landed since",
      (story: Story) =>
        story
          .commit(months)
          .floor(months, passFloor())
          .review(months, passReview(MONTHS))
          .record({ kind: "ChunkConflicted", chunk: months, attempt: 1, paths: ["src/months.js"] }),
    ],
    [
      "holds what no commit may",
      (story: Story) =>
        story.record({
          kind: "PersonPushed",
          chunk: months,
          attempt: 2,
          by: "bob",
          base: fakeSha("fork"),
          head: fakeSha("pushed"),
          tree: fakeSha("pushed-tree"),
          files: [],
          problems: [{ gate: 6, rule: "secret", message: "a key is in it", path: "src/months.js" }],
        }),
    ],
  ] as const)("bring back no attempt that %s", (_how, spoil) => {
    const story = new Story().propose([MONTHS]).approve();
    spoil(story.start(months).receive(months));
    const draft = buildDraft([{ ...MONTHS, assertions: ["another thing holds"] }]);
    story.command("replan", "another thing must hold");
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    expect(story.attemptOf(months).stage).toBe("superseded");
    expect(listActions(story)).toContain("dispatch implement:months/2");
  });

  it("leave standing what was overruled of work that has landed: nothing of it is judged anew", () => {
    const story = new Story().propose([MONTHS, buildChunk("other")]).approve();
    story.start(months).receive(months).commit(months).floor(months, failFloor(OUT_OF_SCOPE));
    overrule(story, "scope it belongs there");
    story.review(months, passReview(MONTHS)).land(months);
    const draft = buildDraft([{ ...MONTHS, assertions: ["another thing holds"] }, buildChunk("other")]);
    story.command("replan", "another thing must hold");
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    expect(story.state.overrides).toMatchObject([{ chunk: months, attempt: 1 }]);
  });
});

describe("an override", () => {
  const FLOOD: readonly Violation[] = Array.from({ length: 200 }, (_, line) => ({
    gate: 3,
    rule: "new-finding",
    message: `finding ${line}`,
  }));

  function begin(): Story {
    return new Story().propose([MONTHS, buildChunk("other")]).approve();
  }

  it("of one gate leaves standing what another found, also where its findings were too many to keep", () => {
    const flooded = failFloor(OUT_OF_SCOPE, ...FLOOD);
    const story = begin().start(months).receive(months).commit(months);
    story.floor(months, { ...flooded, violations: FLOOD, more: 1 });
    overrule(story, "3 the findings are about generated code");
    expect(story.attemptOf(months).stage).toBe("floor-failed");
    overrule(story, "scope it belongs there");
    expect(story.attemptOf(months).stage).toBe("floor-passed");
  });

  it("of the plan's gate is about the plan that a person has seen", () => {
    const finding = { severity: "blocking", chunk: "", title: "No", evidence: "x" } as const;
    const story = new Story().intake().bindBaseline().receiveDraft(buildDraft(FOUR_CHUNKS));
    for (const lens of LENSES) story.reviewPlan(lens, [finding]);
    story.command("override", "plan I know better");
    expect(derivePlanGate(story.state).next).toBe("commit");
    story.commitPlan(buildDraft(FOUR_CHUNKS)).openFeature().comment("approval:1").approve();
    story.command("replan", "with postgres");
    story.receiveDraft(buildDraft(FOUR_CHUNKS));
    for (const lens of LENSES) story.reviewPlan(lens, [finding]);
    expect(derivePlanGate(story.state).next).toBe("draft");
  });

  it("is over when other criteria have the attempt judged anew, and so is the verdict that was posted", () => {
    const story = new Story().propose([MONTHS]).approve();
    story.start(months).receive(months).commit(months).floor(months, failFloor(OUT_OF_SCOPE));
    overrule(story, "scope it belongs there");
    story.review(months, failReview(MONTHS));
    const changed = { ...MONTHS, assertions: ["another thing holds"] };
    story.command("replan", "another thing must hold");
    story.receiveDraft(buildDraft([changed])).commitPlan(buildDraft([changed]));
    story.comment("approval:2").approve();
    expect(story.state.overrides).toEqual([]);
    story.floor(months, passFloor());
    const { n, head } = story.attemptOf(months);
    const job = story.dispatch({ role: "review", chunk: months }, n);
    story.endJob(job).record({
      kind: "VerdictVerified",
      job,
      subject: { kind: "attempt", chunk: months, attempt: n },
      commit: head ?? fakeSha("none"),
      result: passReview(changed),
      chunks: [],
      ledger: [],
    });
    expect(listActions(story)).toContain("PostReview");
    expect(listActions(story)).not.toContain("LandChunks");
  });

  /** Overruled, passed by its reviewer, and overtaken by another chunk. */
  function overtake(): Story {
    const other = chunkId("other");
    const story = begin().start(months).start(other);
    story.receive(months).commit(months).floor(months, failFloor(OUT_OF_SCOPE));
    overrule(story, "scope it belongs there");
    story.review(months, passReview(MONTHS));
    story
      .receive(other)
      .commit(other)
      .floor(other, passFloor())
      .review(other, passReview(buildChunk("other")));
    return story.land(other);
  }

  function rideAlone(story: Story, ...violations: readonly Violation[]): void {
    const action = decide(story.state, story.now, TIMING).actions.find((one) => one.kind === "CreateCandidate");
    if (action?.kind !== "CreateCandidate") throw new Error("no candidate is built");
    const { hash, tip, chunks } = action;
    const commit = fakeSha(`candidate-${hash}`);
    story.record({ kind: "CandidateCreated", hash, commit, tree: fakeSha(`tree-${hash}`), base: tip, chunks });
    const job = story.dispatch({ role: "floor", subject: `candidate-${hash}` });
    const result = failFloor(...violations);
    const subject = { kind: "candidate", hash } as const;
    story.endJob(job).record({ kind: "FloorComputed", job, subject, commit, result, document: "captures" });
  }

  it("holds when the chunk rides alone on a branch that has moved, as far as it was seen", () => {
    const story = overtake();
    rideAlone(story, OUT_OF_SCOPE);
    expect(story.attemptOf(months).stage).toBe("verified");
    expect(listActions(story)).toContain("LandChunks");
  });

  it.each<[string, Violation]>([
    ["another gate fails there", REGRESSION],
    ["the same gate finds something else there", { ...OUT_OF_SCOPE, path: "src/other.js" }],
  ])("does not hold where %s, until a person overrules that too", (_case, violation) => {
    const story = overtake();
    rideAlone(story, OUT_OF_SCOPE, violation);
    expect(story.attemptOf(months).stage).toBe("integration-failed");
    overrule(story, `${violation.gate} I have looked`);
    expect(story.attemptOf(months).stage).toBe("verified");
    expect(listActions(story)).toContain("LandChunks");
  });

  it("takes back what `/retry` had said: from then on the attempt counts", () => {
    const story = overtake();
    rideAlone(story, REGRESSION);
    story.command("retry", months);
    const counted = () => {
      const chunk = findRow(story.state.chunks, months);
      return (chunk?.attempts.length ?? 0) - (chunk?.countFrom ?? 0);
    };
    expect(counted()).toBe(0);
    overrule(story, `${REGRESSION.gate} I have looked`);
    expect(counted()).toBe(1);
  });
});
