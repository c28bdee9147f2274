import { describe, expect, it } from "@jest/globals";
import { formatJobId } from "../../src/contracts/names.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { deriveApprovalPolicy } from "../../src/engine/derive/approval-policy.ts";
import { derivePlanGate } from "../../src/engine/derive/plan-gate.ts";
import { renderNeedComment } from "../../src/messages/need-comment.ts";
import type { DraftPlan, PlanFinding } from "../../src/engine/fact.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { FOUR_CHUNKS, MONTHS } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";

const BLOCKING: PlanFinding = { severity: "blocking", chunk: "", title: "No", evidence: "x" };
const WARNING: PlanFinding = { severity: "warning", chunk: "", title: "Hm", evidence: "x" };

function plan(): Story {
  return new Story().intake().bindBaseline();
}

function listRoles(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "DispatchJob" ? [action.dispatch.subject.role] : [],
  );
}

describe("planning", () => {
  it("captures the baseline and has the plan written at the same time", () => {
    expect(listRoles(new Story().intake())).toEqual(["baseline", "plan"]);
  });

  it("spares a simple plan its reviewers", () => {
    const simple = buildDraft([buildChunk("a", [], { files_touched: ["src/a.js", "test/a.test.js"] })]);
    expect(derivePlanGate(plan().receiveDraft(simple).state).next).toBe("commit");
    const files = buildDraft([buildChunk("a", [], { files_touched: ["a.js", "b.js", "c.js"] })]);
    expect(derivePlanGate(plan().receiveDraft(files).state).next).toBe("review");
    expect(derivePlanGate(plan().receiveDraft(buildDraft(FOUR_CHUNKS)).state).next).toBe("review");
  });

  it("asks three reviewers at once, who do not see each other's verdicts", () => {
    const story = plan().receiveDraft(buildDraft(FOUR_CHUNKS));
    expect(listRoles(story)).toEqual(["plan-review", "plan-review", "plan-review"]);
    story.reviewPlan("scope", [BLOCKING]);
    for (const action of decide(story.state, story.now, TIMING).actions)
      if (action.kind === "DispatchJob") expect(action.dispatch.documents.feedback).toBeNull();
  });

  it("commits a plan only after the baseline, and when all three passed", () => {
    const draft = buildDraft(FOUR_CHUNKS);
    const story = new Story().intake().receiveDraft(draft);
    for (const lens of ["feasibility", "completeness", "scope"] as const) story.reviewPlan(lens, [WARNING]);
    const kinds = (): readonly string[] => decide(story.state, story.now, TIMING).actions.map((action) => action.kind);
    expect(kinds()).not.toContain("CommitPlan");
    story.bindBaseline();
    expect(kinds()).toContain("CommitPlan");
  });

  it("gives the planner all findings, and asks people after three rounds", () => {
    const story = plan();
    for (let round = 1; round <= 3; round += 1) {
      story.receiveDraft(buildDraft(FOUR_CHUNKS)).reviewPlan("feasibility").reviewPlan("completeness", [BLOCKING]);
      expect(derivePlanGate(story.state).next).toBe("review");
      story.reviewPlan("scope", [BLOCKING]);
      const gate = derivePlanGate(story.state);
      expect(gate.next).toBe(round < 3 ? "draft" : "person");
      if (round === 3) continue;
      const action = decide(story.state, story.now, TIMING).actions.find((entry) => entry.kind === "DispatchJob");
      if (action?.kind !== "DispatchJob") throw new Error("the planner is not asked");
      expect(action.dispatch.documents.feedback?.items).toEqual([
        { source: "review:completeness", text: "F1 (blocking): No: x" },
        { source: "review:scope", text: "F2 (blocking): No: x" },
      ]);
    }
    expect(deriveNeeds(story.state, story.now).map((need) => need.kind)).toEqual(["plan"]);
  });

  it("has a plan that is not valid written once more, then asks people", () => {
    const story = plan().refuseDraft("/chunks is empty");
    expect(derivePlanGate(story.state).next).toBe("draft");
    expect(derivePlanGate(story.refuseDraft("/chunks is empty").state).next).toBe("person");
    const mended = plan()
      .refuseDraft("/chunks is empty")
      .receiveDraft(buildDraft([MONTHS]));
    expect(derivePlanGate(mended.state).next).toBe("commit");
  });

  it("waits for answers to the planner's questions", () => {
    const story = plan().askQuestions("Which currency?");
    expect(listRoles(story)).toEqual([]);
    story.command("replan", "Euro");
    const action = decide(story.state, story.now, TIMING).actions.find((entry) => entry.kind === "DispatchJob");
    expect(action?.kind === "DispatchJob" ? action.dispatch.documents.feedback?.request : null).toBe("Euro");
  });

  it("ends with the answer where no change was asked for", () => {
    const story = plan();
    const job = story.dispatch({ role: "plan" });
    story.endJob(job).record({ kind: "AnswerGiven", job, text: "It is in src/money.js." });
    const { steps } = play(story, buildWorld(buildDraft([MONTHS])));
    expect(steps.map((step) => step.action.key)).toContain("comment:direct-answer");
    expect(story.state.ended).toBe("answered");
    expect(story.state.issueClosed).toBe(false);
  });

  it("ends with the answer also where nobody knows yet whether the baseline is being captured", () => {
    const story = new Story().intake();
    const baseline = formatJobId(story.run, { role: "baseline", n: 1 });
    story.record({ kind: "EffectStarted", effect: `job:${baseline}`, purpose: "" });
    const job = story.dispatch({ role: "plan" });
    story.endJob(job).record({ kind: "AnswerGiven", job, text: "It is in src/money.js." }).comment("direct-answer");
    const list = () => decide(story.state, story.wait(10 * 60_000).now, TIMING).actions.map(({ key }) => key);
    expect(list()).toContain(`cancel:${baseline}`);
    expect(list()).not.toContain("end");
    story.record({ kind: "EffectEnded", effect: `job:${baseline}` });
    expect(list()).toContain("end");
  });

  it("asks people when the baseline cannot be captured three times", () => {
    const story = new Story().intake();
    for (let n = 0; n < 3; n += 1) {
      expect(listRoles(story)).toContain("baseline");
      const job = story.dispatch({ role: "baseline" });
      story.endJob(job).record({ kind: "BaselineRefused", job, problems: ["the tests do not run"] });
    }
    expect(listRoles(story)).not.toContain("baseline");
    expect(deriveNeeds(story.state, story.now).map((need) => need.kind)).toEqual(["baseline"]);
  });
});

describe("who approves", () => {
  const judge = (
    config: unknown,
    change: Partial<DraftPlan> = {},
    unconfigured: readonly string[] = [],
  ): readonly [person: boolean, why: string] => {
    const draft = buildDraft([MONTHS], change);
    const story = new Story({ config }).intake().bindBaseline(unconfigured).receiveDraft(draft).commitPlan(draft);
    const revision = story.state.revisions[0];
    if (revision === undefined) throw new Error("no revision");
    const { person, why } = deriveApprovalPolicy(story.state, revision);
    return [person, why];
  };
  const RISK = { plan: { approval: "risk" } };
  const AUTO = { plan: { approval: "auto" } };
  const brief = buildDraft([MONTHS]).task_brief;

  it.each<[string, readonly [boolean, string], boolean]>([
    ["the default", judge({}), true],
    ["`auto` with everything configured", judge(AUTO), false],
    ["`auto` where the floor is blind", judge(AUTO, {}, ["no test command"]), true],
    ["`auto` with a chunk no agent fits", judge(AUTO, { unassignable: [{ chunk: "months", reason: "no" }] }), true],
    ["`risk` with nothing risky", judge(RISK), false],
    ["`risk` with high complexity", judge(RISK, { task_brief: { ...brief, complexity: "high" } }), true],
    ["`risk` with an ambiguity", judge(RISK, { task_brief: { ...brief, ambiguities: ["which?"] } }), true],
    ["`risk` with an open question", judge(RISK, { open_questions: ["which?"] }), true],
    [
      "`auto` with a protected file in scope",
      judge(AUTO, { chunks: [{ ...buildChunk("a"), files_touched: [".github/workflows/ci.yml"] } as never] }),
      true,
    ],
  ])("%s", (_name, [person, why], expected) => {
    expect([person, why]).toEqual([expected, expect.stringMatching(/\w/u)]);
  });
});

describe("a draft that was found wanting", () => {
  const reject = (story: Story): Story =>
    story
      .receiveDraft(buildDraft(FOUR_CHUNKS))
      .reviewPlan("feasibility")
      .reviewPlan("completeness", [{ ...BLOCKING, chunk: "report", title: "No total" }, WARNING])
      .reviewPlan("scope");
  const listFeedback = (story: Story): readonly string[] => {
    const action = decide(story.state, story.now, TIMING).actions.find((entry) => entry.kind === "DispatchJob");
    if (action?.kind !== "DispatchJob") throw new Error("the planner is not asked");
    return (action.dispatch.documents.feedback?.items ?? []).map((item) => item.text);
  };

  it("comes back with its findings by number, also after a draft that is not valid", () => {
    const findings = ["F1 (blocking): report: No total: x", "F2 (warning): Hm: x"];
    const story = reject(plan());
    expect(listFeedback(story)).toEqual(findings);
    story.refuseDraft("F1 is not answered");
    expect(listFeedback(story)).toEqual(["F1 is not answered", ...findings]);
  });

  it("has answers that the next three reviewers never see, and people do", () => {
    const story = reject(plan());
    const answers = [{ finding: "F1", rebuttal: "ZZZ chunk report prints it in its last line" }];
    story.receiveDraft(buildDraft(FOUR_CHUNKS, { answers }));
    const dispatched = decide(story.state, story.now, TIMING).actions.filter((entry) => entry.kind === "DispatchJob");
    expect(dispatched).toHaveLength(3);
    expect(JSON.stringify(dispatched)).not.toContain("ZZZ");
    story.reviewPlan("feasibility", [BLOCKING]).reviewPlan("completeness").reviewPlan("scope");
    reject(story);
    const [need] = deriveNeeds(story.state, story.now);
    const text = need === undefined ? "" : renderNeedComment(story.state, need);
    expect(text).toContain("| 1 | No total | rebutted | ZZZ chunk report prints it in its last line |");
    for (const way of ["`/override plan <why>`", "revise:", "simplify:", "cancel:"]) expect(text).toContain(way);
  });

  it("is committed as it is when a person overrules the review", () => {
    const story = reject(reject(reject(plan())));
    expect(derivePlanGate(story.state).next).toBe("person");
    story.command("override", "plan the total is in another issue");
    expect(derivePlanGate(story.state).next).toBe("commit");
  });

  it("waits for a person once it was overruled, also where the policy would not ask", () => {
    const story = reject(reject(reject(new Story({ config: { plan: { approval: "auto" } } }).intake().bindBaseline())));
    story.command("override", "plan the total is in another issue");
    story.commitPlan(buildDraft(FOUR_CHUNKS));
    const proposal = story.state.revisions.at(-1);
    if (proposal === undefined) throw new Error("no revision was committed");
    expect(deriveApprovalPolicy(story.state, proposal)).toEqual({ person: true, why: "its review was overruled" });
  });
});
