import { describe, expect, it } from "@jest/globals";
import { decide } from "../../src/engine/decide.ts";
import { deriveHold } from "../../src/engine/derive/plan-progress.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { passFloor, passReview } from "../engine-stories/results.ts";
import { MONTHS, tellMerged, tellMidRun, tellProposal } from "../engine-stories/stories.ts";
import { listKinds, readAnswer } from "../engine-stories/said.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";
import { findRow } from "../../src/engine/table.ts";

const months = chunkId("months");

describe("/cancel", () => {
  it("stops every job, closes every pull request, reports and deletes the branches", () => {
    const story = tellMidRun();
    story.command("cancel", "", "bob");
    const jobs = story.state.jobs.rows.filter((job) => job.status === "open");
    const { steps } = play(story, buildWorld(buildDraft([MONTHS])));
    const keys = steps.map((step) => step.action.key);
    for (const job of jobs) expect(keys).toContain(`cancel:${job.job}`);
    expect(steps.filter((step) => step.action.kind === "ClosePull")).toHaveLength(2);
    expect(keys).toContain("comment:report");
    expect(keys).toContain(`delete:taskfleet/${story.run}/integration`);
    expect(keys.filter((key) => key.startsWith("job:"))).toEqual([]);
    expect(story.state.ended).toBe("cancelled");
  });

  it("makes late results mean nothing", () => {
    const story = tellProposal().approve().start(months);
    story.command("cancel");
    story.receive(months);
    expect(listKinds(story)).not.toContain("CommitChangeSet");
  });
});

describe("between the last word and the end", () => {
  const COMMANDS = [
    ["approve", ""],
    ["replan", "another way"],
    ["retry", "categories"],
    ["skip", "categories"],
    ["take", "categories"],
    ["assign", "categories default"],
    ["pause", ""],
    ["resume", ""],
    ["override", "review fine"],
  ] as const;
  const ENDS: ReadonlyArray<readonly [string, () => Story, RegExp]> = [
    ["cancelled", () => cancelBy("bob"), /^The run is cancelled \(\/cancel by bob\) and about to end\./u],
    ["merged", () => tellMerged(), /^The feature is merged into `main`: the run is about to end\./u],
    ["answered", tellAnswered, /^The issue is answered, nothing had to be changed/u],
  ];

  function cancelBy(login: string): Story {
    const story = tellMidRun();
    story.command("cancel", "", login);
    return story;
  }

  function tellAnswered(): Story {
    const story = new Story().intake().bindBaseline();
    const job = story.dispatch({ role: "plan" });
    return story.endJob(job).record({ kind: "AnswerGiven", job, text: "It works already." });
  }

  it.each(ENDS)("promises nothing any more (%s)", (_name, tell, answer) => {
    const story = tell();
    for (const [name, args] of COMMANDS) {
      const { commands: _, seq: __, shown: ___, ...before } = story.state;
      story.command(name, args);
      expect([name, ...readAnswer(story)]).toEqual([name, false, expect.stringMatching(answer)]);
      expect(story.state).toMatchObject({ ...before, at: story.now });
    }
    story.command("status");
    expect(readAnswer(story)[0]).toBe(true);
  });

  it("takes a second /cancel for the same, and none after the merge", () => {
    const story = cancelBy("bob");
    story.command("cancel");
    expect(readAnswer(story)[0]).toBe(true);
    expect(story.state.cancelled?.by).toBe("bob");
    const merged = tellMerged();
    merged.command("cancel");
    expect(readAnswer(merged)[0]).toBe(false);
    expect(merged.state.cancelled).toBeNull();
  });
});

describe("after the end", () => {
  it("only asks for the status and for help are answered", () => {
    const story = tellMidRun();
    story.command("cancel");
    play(story, buildWorld(buildDraft([MONTHS])));
    for (const name of ["approve", "retry", "skip", "replan", "cancel"] as const) {
      story.command(name, "months");
      expect(readAnswer(story)).toEqual([false, expect.stringContaining("This run has ended (cancelled).")]);
    }
    story.command("status");
    expect(readAnswer(story)[0]).toBe(true);
  });
});

describe("/replan", () => {
  it("starts and lands nothing until the new revision is approved; landed chunks stay", () => {
    const story = tellMidRun();
    const landed = findRow(story.state.chunks, months)?.landed;
    story.command("replan", "also per year");
    expect(deriveHold(story.state)).toBe("a new plan revision is being written");
    const dispatches = decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "DispatchJob" ? [action.dispatch] : [],
    );
    expect(dispatches.map((dispatch) => dispatch.subject.role)).toEqual(["plan"]);
    expect(dispatches[0]?.documents.feedback).toMatchObject({ request: "also per year", landed: ["months"] });
    const chunks = [...(story.state.revisions[0]?.plan.chunks ?? []), buildChunk("years", ["report"])];
    const draft = buildDraft(chunks);
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    expect(findRow(story.state.chunks, months)?.landed).toEqual(landed);
    expect(story.state.chunks.keys).toContain("years");
    expect(deriveHold(story.state)).toBeNull();
  });

  it.each<[string, Parameters<typeof buildChunk>[2], string, boolean]>([
    ["its title and tier", { title: "Another title", tier: "high" }, "floor-passed", true],
    ["its assertions", { assertions: ["something else"] }, "committed", true],
    ["its brief", { brief: "Something else." }, "superseded", false],
    ["its files", { files_touched: ["src/other.js"] }, "superseded", false],
  ])("judges a running chunk anew as far as the revision changes %s", (_name, change, stage, live) => {
    const one = buildChunk("a");
    const id = chunkId("a");
    const story = new Story().propose([one]).approve().start(id).receive(id).commit(id).floor(id, passFloor());
    story.command("replan", "x");
    const draft = buildDraft([{ ...one, ...change }]);
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    expect(story.attemptOf(id).stage).toBe(stage);
    const roles = decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "DispatchJob" ? [action.dispatch.subject.role] : [],
    );
    expect(roles).toEqual([live ? (stage === "committed" ? "floor" : "review") : "implement"]);
  });

  it("supersedes what it drops, and builds again what stands on something changed", () => {
    const chunks = [buildChunk("a"), buildChunk("b", ["a"]), buildChunk("gone")];
    const story = new Story().propose(chunks).approve();
    for (const id of ["a", "b", "gone"].map(chunkId)) {
      story.start(id).receive(id).commit(id).floor(id, passFloor());
      if (id !== "gone") story.review(id, passReview(buildChunk(id))).land(id);
    }
    story.command("replan", "x");
    const draft = buildDraft([buildChunk("a", [], { brief: "Another way." }), buildChunk("b", ["a"])]);
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    expect(findRow(story.state.chunks, chunkId("gone"))).toMatchObject({ skipped: true });
    expect([
      findRow(story.state.chunks, chunkId("a"))?.landed,
      findRow(story.state.chunks, chunkId("b"))?.landed,
    ]).toEqual([null, null]);
    const starts = decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "DispatchJob" ? [action.dispatch.attempt?.chunk] : [],
    );
    expect(starts).toEqual(["a"]);
  });

  it("builds a chunk that was dropped once and is wanted again", () => {
    const [a, b] = [buildChunk("a"), buildChunk("b")];
    const story = new Story().propose([a, b]).approve();
    for (const [rev, chunks] of [
      [2, [a]],
      [3, [a, b]],
    ] as const) {
      story.command("replan", "x");
      const draft = buildDraft(chunks);
      story.receiveDraft(draft).commitPlan(draft).comment(`approval:${rev}`).approve();
    }
    const starts = decide(story.state, story.now, TIMING).actions.flatMap((action) =>
      action.kind === "DispatchJob" ? [action.dispatch.attempt?.chunk] : [],
    );
    expect(starts).toEqual(["a", "b"]);
  });

  it("refuses commands about a chunk the plan has dropped, which nothing would ever build", () => {
    const [a, b] = [buildChunk("a"), buildChunk("b")];
    const story = new Story().propose([a, b]).approve();
    story.command("replan", "x");
    const draft = buildDraft([a]);
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    for (const command of ["retry", "take", "skip"] as const) {
      story.command(command, "b");
      expect(readAnswer(story)[1]).toBe("Plan revision 2 does not contain `b` any more: `/replan` brings it back.");
    }
    expect(findRow(story.state.chunks, chunkId("b"))).toMatchObject({ skipped: true, taken: null });
  });

  it("keeps a chunk dropped that people dropped, unless the revision changes it", () => {
    const [a, b] = [buildChunk("a"), buildChunk("b")];
    const story = new Story().propose([a, b]).approve();
    story.command("skip", "b");
    story.command("replan", "x");
    const draft = buildDraft([a, b, buildChunk("c")]);
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    expect(findRow(story.state.chunks, chunkId("b"))?.skipped).toBe(true);
    story.command("replan", "x");
    const other = buildDraft([a, { ...b, brief: "Another way." }, buildChunk("c")]);
    story.receiveDraft(other).commitPlan(other).comment("approval:3").approve();
    expect(findRow(story.state.chunks, chunkId("b"))?.skipped).toBe(false);
  });

  it("asks people what for when every chunk was dropped", () => {
    const story = new Story().propose([buildChunk("a")]).approve();
    story.command("skip", "a");
    const { actions, waits } = decide(story.state, story.now + 60_000, TIMING);
    expect(actions.filter((action) => action.kind === "CreateAccept")).toEqual([]);
    expect(waits).toContainEqual(
      expect.objectContaining({ what: "every chunk was dropped: nothing is left to build" }),
    );
    expect(deriveNeeds(story.state, story.now).map((need) => need.kind)).toEqual(["dropped"]);
  });

  it("needs no new approval where only the baseline differs", () => {
    const story = tellMidRun({ config: { plan: { approval: "auto" } } });
    story.command("replan", "again");
    const draft = story.state.revisions[0]?.draft;
    if (draft === undefined) throw new Error("no revision");
    story.receiveDraft(draft);
    for (const lens of ["feasibility", "completeness", "scope"] as const) story.reviewPlan(lens);
    story.commitPlan(draft);
    const approval = decide(story.state, story.now, TIMING).actions.find((action) => action.kind === "ApprovePlan");
    expect(approval).toMatchObject({ why: "its chunks are those of revision 1" });
  });
});
