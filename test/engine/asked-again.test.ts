import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { deriveStops } from "../../src/engine/derive/chunk-progress.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { derivePlanGate } from "../../src/engine/derive/plan-gate.ts";
import { findRow } from "../../src/engine/table.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { failFloor, failReview, OUT_OF_SCOPE, passFloor, passReview, voidReview } from "../engine-stories/results.ts";
import { FOUR_CHUNKS, MONTHS, REPORT, tellAllLanded, tellEscalation, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";

const months = chunkId("months");
const categories = chunkId("categories");

function listNeeds(story: Story): readonly string[] {
  return deriveNeeds(story.state, story.now).map((need) => need.key);
}

function listJobs(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "DispatchJob" ? [action.dispatch.job.split("/").slice(1).join("/")] : [],
  );
}

function overrule(story: Story, args: string, on: number = story.state.run.issue): readonly [boolean, string] {
  const comment = story.nextComment();
  story.record({ kind: "CommandReceived", comment, line: 0, on, by: "alice", name: "override", args });
  const last = story.state.commands.at(-1);
  return [last?.accepted ?? false, last?.answer ?? ""];
}

function readPull(story: Story): number {
  return findRow(story.state.chunks, months)?.pulls.at(-1)?.number ?? 0;
}

describe("who has answered", () => {
  it("is asked again when three more reviewers say nothing about the same attempt", () => {
    const story = new Story({ config: { plan: { approval: "auto" } } });
    const world = buildWorld(buildDraft([MONTHS]), { review: () => voidReview() });
    play(story, world);
    const before = listNeeds(story);
    story.command("retry", "months");
    expect(listNeeds(story)).toEqual([]);
    play(story, world);
    expect(findRow(story.state.chunks, months)?.attempts).toHaveLength(1);
    const after = listNeeds(story);
    expect(after).toHaveLength(1);
    expect(before).not.toContain(after[0]);
    expect(story.state.comments[`need:${after[0]}`]).toBeDefined();
  });

  it("is asked again when the floor of what would land gives no result three more times", () => {
    const other = buildChunk("other");
    const story = new Story().propose([MONTHS, other]).approve();
    const world = buildWorld(buildDraft([MONTHS, other]), { candidate: () => "lost" });
    play(story, world);
    const before = listNeeds(story);
    expect(before).toEqual([expect.stringMatching(/^landing:/u)]);
    story.command("retry", findRow(story.state.chunks, months)?.landed === null ? "months" : "other");
    expect(listNeeds(story)).toEqual([]);
    play(story, world);
    expect(listNeeds(story)).toEqual([expect.stringMatching(/^landing:/u)]);
    expect(listNeeds(story)).not.toEqual(before);
  });

  it("is asked again about an attempt whose floor they overruled and that no reviewer judges", () => {
    const story = new Story({ config: { limits: { tries: 1 } } }).propose([MONTHS]).approve();
    story.start(months).receive(months).commit(months).floor(months, failFloor(OUT_OF_SCOPE));
    const before = listNeeds(story);
    expect(before).toEqual(["escalation:months:1"]);
    overrule(story, "scope it belongs there", readPull(story));
    for (let n = 0; n < 3; n += 1) story.review(months, voidReview());
    expect(deriveStops(story.state).escalated.get(months)?.gate).toBe("reviewer");
    expect(listNeeds(story)).toHaveLength(1);
    expect(listNeeds(story)).not.toEqual(before);
  });
});

describe("/override plan", () => {
  const BLOCKING = { severity: "blocking", chunk: "", title: "No", evidence: "x" } as const;
  const drafted = (): Story => new Story().intake().bindBaseline().receiveDraft(buildDraft(FOUR_CHUNKS));

  it("commits the draft where no reviewer of one lens can be used", () => {
    const story = drafted().reviewPlan("completeness").reviewPlan("scope");
    for (let n = 0; n < 3; n += 1) story.endJob(story.dispatch({ role: "plan-review", lens: "feasibility" }), "lost");
    expect(derivePlanGate(story.state).next).toBe("person");
    expect(overrule(story, "plan I have read it")[0]).toBe(true);
    expect(derivePlanGate(story.state).next).toBe("commit");
  });

  it("commits the draft where the planner gives nothing any more", () => {
    const story = drafted();
    story.reviewPlan("feasibility", [BLOCKING]).reviewPlan("completeness").reviewPlan("scope");
    for (let n = 0; n < 3; n += 1) story.endJob(story.dispatch({ role: "plan" }), "lost", "no runner");
    expect(derivePlanGate(story.state).next).toBe("person");
    overrule(story, "plan I know better");
    expect(derivePlanGate(story.state).next).toBe("commit");
  });

  it("is about the draft a person has read: no other one takes its place before it is committed", () => {
    const story = new Story().intake().receiveDraft(buildDraft(FOUR_CHUNKS));
    for (const lens of ["feasibility", "completeness", "scope"] as const) story.reviewPlan(lens, [BLOCKING]);
    const job = story.dispatch({ role: "plan" });
    overrule(story, "plan I know better");
    const cancelled = decide(story.state, story.now, TIMING).actions.filter((action) => action.kind === "CancelJob");
    expect(cancelled).toMatchObject([{ job }]);
    const other = buildDraft([buildChunk("other"), MONTHS]);
    story.endJob(job).record({ kind: "DraftReceived", job, draft: other, warnings: [] });
    expect(story.state.planning.drafts).toHaveLength(1);
    expect(derivePlanGate(story.state).next).toBe("commit");
  });
});

describe("an override of the whole feature's gates", () => {
  const failCi = (): Story => {
    const story = tellAllLanded().createAccept().floorAccept(passFloor()).reviewAccept(passReview(REPORT));
    const row = { name: "ci / test", state: "fail", detail: "failure", url: "" } as const;
    return story
      .commitAccept()
      .record({ kind: "CiGathered", n: 1, commit: fakeSha("accepted-1"), state: "fail", rows: [row] });
  };

  it("is accepted while it changes something", () => {
    expect(overrule(failCi(), "ci it is flaky")[0]).toBe(true);
  });

  it("is refused once a new plan revision mends what was found", () => {
    const story = failCi().record({ kind: "FixRequested", n: 1, how: "fix", text: "mend it" });
    expect(overrule(story, "ci it is flaky")).toEqual([false, expect.stringContaining("being mended")]);
    expect(story.state.overrides).toEqual([]);
  });

  it.each<[string, (story: Story) => Story]>([
    ["the source branch", (story) => story.record({ kind: "SourceMoved", n: 1, sha: fakeSha("moved") })],
    ["the integration branch", (story) => story.record({ kind: "TipMoved", sha: fakeSha("pushed") })],
  ])("is refused once %s has moved", (_name, move) => {
    const story = move(tellAllLanded().createAccept().floorAccept(failFloor(OUT_OF_SCOPE)));
    expect(overrule(story, "scope it belongs there")).toEqual([false, expect.stringContaining("has moved")]);
  });
});

describe("a person's push to the branch of an escalated chunk", () => {
  const push = (story: Story, n: number): Story =>
    story.record({
      kind: "PersonPushed",
      chunk: categories,
      attempt: n,
      by: "bob",
      head: fakeSha(`pushed-${n}`),
      tree: fakeSha(`pushed-tree-${n}`),
      base: story.state.integration?.tip ?? fakeSha("fork"),
      files: [],
      problems: [],
    });

  it("is judged like any other attempt, without a /retry", () => {
    const story = push(tellEscalation(), 4);
    expect(deriveStops(story.state).escalated.size).toBe(0);
    expect(listJobs(story)).toContain("floor:chunk-categories/3");
    story.floor(categories, passFloor());
    expect(listJobs(story)).toContain("review:categories/1");
    story.review(categories, passReview(FOUR_CHUNKS[1] ?? MONTHS));
    expect(listNeeds(story)).toEqual([]);
    expect(story.attemptOf(categories).stage).toBe("verified");
  });

  it("brings no agent back when it fails, too: people are asked again", () => {
    const story = tellEscalation();
    const before = listNeeds(story);
    push(story, 4).floor(categories, passFloor()).review(categories, failReview(MONTHS));
    expect(listNeeds(story)).toHaveLength(1);
    expect(listNeeds(story)).not.toEqual(before);
    expect(listJobs(story).filter((job) => job.startsWith("implement"))).toEqual([]);
    push(story, 5);
    expect(deriveStops(story.state).escalated.size).toBe(0);
  });

  it("is a person's business where its floor gives no result three times", () => {
    const story = push(tellEscalation(), 4);
    for (let n = 0; n < 3; n += 1)
      story.endJob(story.dispatch({ role: "floor", subject: "chunk-categories" }, 4), "lost", "no runner");
    expect(deriveStops(story.state).escalated.get(categories)?.gate).toBe("external");
  });

  it("of a chunk that is not escalated counts as a try as before", () => {
    const story = tellProposal({ config: { limits: { tries: 1 } } }).approve();
    push(story, 1).floor(categories, failFloor(OUT_OF_SCOPE));
    expect(deriveStops(story.state).escalated.get(categories)?.gate).toBe("floor");
  });
});
