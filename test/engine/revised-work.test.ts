import { describe, expect, it } from "@jest/globals";
import type { Chunk } from "../../src/contracts/plan.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveAcceptStep } from "../../src/engine/derive/accept-progress.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import type { DraftPlan } from "../../src/engine/fact.ts";
import { findRow } from "../../src/engine/table.ts";
import { buildAcceptNote } from "../../src/messages/accept-note.ts";
import { renderReport } from "../../src/messages/report-comment.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { MONTHS, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";

const A = buildChunk("a");
const B = buildChunk("b");
const UNDO = buildChunk("undo-a", [], { files_touched: [...A.files_touched, "src/undo-a.js"] });
const [a, b] = [chunkId("a"), chunkId("b")];

function land(story: Story, chunk: Chunk): Story {
  const id = chunkId(chunk.id);
  story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
  return story.land(id);
}

/** A person asks for another plan, and approves what comes. */
function revise(story: Story, chunks: readonly Chunk[], change: Partial<DraftPlan> = {}): Story {
  const draft = buildDraft(chunks, change);
  story.command("replan", "otherwise");
  story.receiveDraft(draft).commitPlan(draft);
  return story.comment(`approval:${story.state.revisions.length}`).approve();
}

function listChecked(story: Story, chunks: readonly Chunk[]): ReadonlyArray<readonly string[]> {
  return play(story, buildWorld(buildDraft(chunks))).steps.flatMap(({ action }) =>
    action.kind === "DispatchJob" && action.dispatch.request.checks !== undefined
      ? [action.dispatch.request.checks.chunks]
      : [],
  );
}

function listStarts(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.flatMap((action) =>
    action.kind === "DispatchJob" && action.dispatch.attempt !== null ? [action.dispatch.attempt.chunk] : [],
  );
}

function listNeeds(story: Story): readonly string[] {
  return deriveNeeds(story.state, story.now).map((need) => need.key);
}

describe("a landed chunk that a revision drops and has undone", () => {
  const drop = (): Story => revise(land(new Story().propose([A, B]).approve(), A), [B, UNDO]);

  it("is named to no floor any more, since the plan that floors are given does not know its checks", () => {
    const story = drop();
    const checked = listChecked(story, [B, UNDO]);
    expect(checked.flat()).not.toContain("a");
    // The candidate of the second to land, and the whole feature.
    expect(checked.filter((chunks) => chunks.length === 2).map((chunks) => [...chunks].sort())).toEqual([
      ["b", "undo-a"],
      ["b", "undo-a"],
    ]);
    expect(story.state.featurePull?.ready).toBe(true);
  });

  it("is neither in the feature's commit nor counted as completed, and the report says what became of it", () => {
    const story = drop();
    play(story, buildWorld(buildDraft([B, UNDO])));
    expect(buildAcceptNote(story.state, 1).body).toContain("2 chunks, verified together");
    expect(buildAcceptNote(story.state, 1).body).not.toMatch(/^- a$/mu);
    const accepted = story.state.accepts.at(-1)?.accepted;
    if (accepted === undefined || accepted === null) throw new Error("nothing was accepted");
    story.record({ kind: "FeatureMerged", commit: accepted, how: "person", verified: true });
    const report = renderReport(story.state);
    expect(report).toContain("2 of 3 chunks landed");
    expect(report).toMatch(/`a`.*landed, and dropped by plan revision 2, which undoes it/u);
  });

  it("is nothing left to accept, and people are asked what for, when they drop all that is left of the plan", () => {
    const story = drop();
    story.command("skip", "b");
    story.command("skip", "undo-a");
    expect(deriveAcceptStep(story.state, story.now).step).toBe("not-yet");
    expect(listNeeds(story)).toEqual(["all-dropped:2"]);
  });
});

describe("landed work that a revision has built again", () => {
  const CHECKPOINT = { checkpoints: [{ after: "a", reason: "the first of its kind" }] };
  const AGAIN = { ...A, brief: "Another way." };

  it("is looked at again where the plan wants people to look", () => {
    const story = land(new Story().propose([A, B], CHECKPOINT).approve(), A);
    const [first] = listNeeds(story);
    expect(listStarts(story)).toEqual([]);
    story.comment(`need:${first}`).command("resume");
    expect(listNeeds(story)).toEqual([]);
    revise(story, [AGAIN, B], CHECKPOINT);
    land(story, AGAIN);
    const [second] = listNeeds(story);
    expect(first).toMatch(/^checkpoint:a:/u);
    expect(second).toMatch(/^checkpoint:a:/u);
    expect(second).not.toBe(first);
    expect(listStarts(story)).toEqual([]);
    story.comment(`need:${second}`).command("resume");
    expect(listStarts(story)).toEqual(["b"]);
  });

  it("needs no second look where it stays as it is", () => {
    const story = land(new Story().propose([A, B], CHECKPOINT).approve(), A);
    story.comment("need:checkpoint:a:1").command("resume");
    revise(story, [{ ...A, title: "Another title" }, B], CHECKPOINT);
    expect(listNeeds(story)).toEqual([]);
    expect(listStarts(story)).toEqual(["b"]);
  });

  it("is nobody's who had taken it before: an agent builds it", () => {
    const story = new Story().propose([A, B]).approve();
    story.command("take", "a");
    land(story, A);
    revise(story, [AGAIN, B]);
    expect(findRow(story.state.chunks, a)?.taken).toBeNull();
    expect(listStarts(story)).toContain("a");
  });

  it("stays theirs who have taken it and are not done yet", () => {
    const story = new Story().propose([A, B]).approve();
    story.command("take", "a");
    revise(story, [AGAIN, B]);
    expect(findRow(story.state.chunks, a)?.taken?.by).toBe("alice");
  });
});

describe("whom a person gave a chunk to", () => {
  const config = { agents: [{ name: "default" }, { name: "other" }] };
  const agentOf = (story: Story): string | undefined => findRow(story.state.chunks, b)?.agent;
  const assigned = (): Story => {
    const story = new Story({ config }).propose([A, B]).approve();
    story.command("assign", "b other");
    return story;
  };

  it.each<[string, Chunk]>([
    ["leaves it as it is", B],
    ["changes its criteria", { ...B, assertions: ["something else"] }],
  ])("builds it also when a revision %s", (_name, chunk) => {
    expect(agentOf(revise(assigned(), [A, chunk]))).toBe("other");
  });

  it("is asked no more when a revision makes another task of it", () => {
    expect(agentOf(revise(assigned(), [A, { ...B, brief: "Another way." }]))).toBe("default");
  });

  it("is whom the plan says where no person has said anything", () => {
    const story = revise(new Story({ config }).propose([A, B]).approve(), [A, B], {
      assignments: { a: "default", b: "other" },
    });
    expect(agentOf(story)).toBe("other");
  });

  it("needs not be named again for a chunk that fits no agent", () => {
    const unassigned = { assignments: { a: "default" }, unassignable: [{ chunk: "b", reason: "no" }] };
    const story = new Story({ config }).propose([A, B], unassigned).approve();
    expect(listNeeds(story)).toEqual(["unassignable:1"]);
    story.command("assign", "b other");
    expect(listNeeds(revise(story, [A, B], unassigned))).toEqual([]);
  });
});

describe("a plan that is asked for anew while the fork commit is still being measured", () => {
  const answer = (story: Story): readonly [boolean, string] => {
    const last = story.state.commands.at(-1);
    return [last?.accepted ?? false, last?.answer ?? ""];
  };

  it("is written: the answers to the planner's questions need no baseline", () => {
    const story = new Story().intake().askQuestions("Which currency?");
    story.command("replan", "Euro");
    expect(answer(story)).toEqual([true, "The plan is being written anew."]);
    expect(listNeeds(story)).toEqual([]);
    const feedback = decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "DispatchJob" && action.dispatch.subject.role === "plan"
        ? [action.dispatch.documents.feedback?.request]
        : [],
    );
    expect(feedback).toEqual(["Euro"]);
  });

  it("has it measured again where no try gave a result, and asks again where none does", () => {
    const story = new Story().intake().receiveDraft(buildDraft([MONTHS]));
    const fail = (): void => {
      const job = story.dispatch({ role: "baseline" });
      story.endJob(job).record({ kind: "BaselineRefused", job, problems: ["the tests do not run"] });
    };
    for (let n = 0; n < 3; n += 1) fail();
    const [first] = listNeeds(story);
    story.command("replan");
    expect(listNeeds(story)).toEqual([]);
    expect(
      decide(story.state, story.now, TIMING).actions.map((action) =>
        action.kind === "DispatchJob" ? action.dispatch.subject.role : action.kind,
      ),
    ).toContain("baseline");
    for (let n = 0; n < 3; n += 1) fail();
    expect(listNeeds(story)).toHaveLength(1);
    expect(listNeeds(story)[0]).not.toBe(first);
  });

  it("keeps what its tries came to so far where they are not used up", () => {
    const story = tellProposal();
    const before = story.state.baseline;
    story.command("replan", "smaller");
    expect(story.state.baseline).toBe(before);
  });
});
