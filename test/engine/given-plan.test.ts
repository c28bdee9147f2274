import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { deriveApprovalPolicy } from "../../src/engine/derive/approval-policy.ts";
import { derivePlanGate } from "../../src/engine/derive/plan-gate.ts";
import { buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { FOUR_CHUNKS } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";

const OPEN = { plan: { approval: "auto" } };

function begin(writer: boolean): Story {
  return new Story({ config: OPEN, given: { source: "issue", text: "{}", by: "drifter", writer } });
}

describe("a run begun with a plan", () => {
  it("asks no planner: the plan is read, then reviewed like any other", () => {
    const story = begin(true).intake();
    const kinds = (): readonly string[] =>
      decide(story.state, story.now, TIMING).actions.map((action) =>
        action.kind === "DispatchJob" ? action.dispatch.subject.role : action.kind,
      );
    expect(kinds()).toContain("ReadGivenPlan");
    expect(kinds()).not.toContain("plan");
    story.receiveDraft(buildDraft(FOUR_CHUNKS));
    expect(kinds().filter((kind) => kind === "plan-review")).toHaveLength(3);
  });

  it("comes to its end without a single plan job", () => {
    const story = begin(true);
    play(story, buildWorld(buildDraft(FOUR_CHUNKS)));
    expect(story.state.revisions).toHaveLength(1);
    expect(story.state.jobs.rows.map((job) => job.subject.role)).not.toContain("plan");
  });

  it("asks the person, not a planner, when what they wrote is not valid or not passed", () => {
    const invalid = begin(true)
      .intake()
      .record({ kind: "DraftRefused", job: "7-x/plan/0" as never, text: "{}", problems: ["no"] });
    expect(derivePlanGate(invalid.state)).toMatchObject({ next: "person", why: expect.stringContaining("not valid") });
    const refused = begin(true).intake().receiveDraft(buildDraft(FOUR_CHUNKS));
    refused.reviewPlan("feasibility").reviewPlan("completeness");
    refused.reviewPlan("scope", [{ severity: "blocking", chunk: "", title: "No", evidence: "x" }]);
    expect(derivePlanGate(refused.state)).toMatchObject({ next: "person", why: expect.stringContaining("reviewers") });
  });

  it.each([
    [false, true],
    [true, false],
  ])("by somebody whose write access is %s needs a person's approval: %s", (writer, person) => {
    const story = begin(writer)
      .intake()
      .bindBaseline()
      .receiveDraft(buildDraft(FOUR_CHUNKS))
      .commitPlan(buildDraft(FOUR_CHUNKS));
    const proposal = story.state.revisions[0];
    if (proposal === undefined) throw new Error("nothing was committed");
    const policy = deriveApprovalPolicy(story.state, proposal);
    expect(policy.person).toBe(person);
    if (!writer) expect(policy.why).toContain("drifter");
  });
});
