import { describe, expect, it } from "@jest/globals";
import { formatSaying } from "../../src/contracts/saying.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveHold } from "../../src/engine/derive/plan-progress.ts";
import { listOurBranches } from "../../src/engine/derive/branches.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { deriveStops } from "../../src/engine/derive/chunk-progress.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { passFloor, passReview, voidReview } from "../engine-stories/results.ts";
import { CATEGORIES, MONTHS, tellMerged, tellMidRun, tellProposal } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";
import { findRow } from "../../src/engine/table.ts";

const months = chunkId("months");

function readAnswer(story: Story): readonly [accepted: boolean, answer: string] {
  const last = story.state.commands.at(-1);
  return [last?.accepted ?? false, last?.answer ?? ""];
}

/** Approved, with a chunk nobody fits. */
function tellUnassigned(): Story {
  return new Story({ config: { agents: [{ name: "web" }, { name: "api" }] } })
    .propose([MONTHS, CATEGORIES], {
      unassignable: [{ chunk: "categories", reason: "nobody knows categories" }],
      assignments: { months: "api" },
    })
    .approve();
}

function listKinds(story: Story): readonly string[] {
  return decide(story.state, story.now, TIMING).actions.map((action) => action.kind);
}

describe("/approve", () => {
  const hash = tellProposal().state.revisions[0]?.hash ?? "";

  it.each<[string, string, boolean]>([
    ["without a hash", "", true],
    ["with the beginning of the hash", hash.slice(0, 12), true],
    ["with the whole hash, in capitals", hash.toUpperCase(), true],
    ["with words after the hash", `${hash.slice(0, 7)} looks good`, true],
    ["with another hash", "ffffffffffff", false],
  ])("%s binds the revision that is shown", (_name, args, accepted) => {
    const story = tellProposal();
    story.command("approve", args);
    expect(readAnswer(story)[0]).toBe(accepted);
    expect(story.state.approved?.hash ?? null).toBe(accepted ? hash : null);
  });

  it("echoes what it bound", () => {
    const story = tellProposal().approve();
    expect(readAnswer(story)[1]).toContain(`Plan revision 1 (${hash.slice(0, 12)}) is approved.`);
  });

  it("does not bind a revision that was not shown yet when it was written", () => {
    const story = new Story()
      .intake()
      .bindBaseline()
      .receiveDraft(buildDraft([MONTHS]));
    story.commitPlan(buildDraft([MONTHS])).openFeature();
    const early = story.nextComment();
    story.comment("approval:1");
    story.record({ kind: "CommandReceived", comment: early, line: 0, on: 7, by: "alice", name: "approve", args: "" });
    expect(readAnswer(story)).toEqual([false, expect.stringContaining("was not shown yet")]);
    expect(story.state.approved).toBeNull();
  });

  it("in a review binds the revision whose hash it names, and says so where it names none", () => {
    const story = tellProposal();
    const said = { kind: "CommandReceived", line: 0, on: 8, by: "alice", name: "approve" } as const;
    story.record({ ...said, comment: formatSaying({ kind: "review", id: 5 }), args: "" });
    expect(readAnswer(story)).toEqual([false, expect.stringContaining(`\`/approve ${hash.slice(0, 12)}\``)]);
    expect(story.state.approved).toBeNull();
    story.record({ ...said, comment: formatSaying({ kind: "review", id: 6 }), args: hash.slice(0, 12) });
    expect(readAnswer(story)[0]).toBe(true);
    expect(story.state.approved?.hash).toBe(hash);
  });

  it("says what holds the chunks when they do not start at once", () => {
    const story = tellProposal();
    story.command("pause", "", "bob");
    story.approve();
    expect(readAnswer(story)).toEqual([
      true,
      expect.stringContaining("is approved. Nothing starts yet: paused by bob."),
    ]);
    expect(readAnswer(tellProposal().approve())[1]).toContain("Chunks are being dispatched.");
  });

  it("says what people have to settle before chunks start", () => {
    const unassigned = tellUnassigned();
    expect(readAnswer(unassigned)[1]).toMatch(
      /is approved\. Nothing starts yet: no agent fits `categories` \(`\/assign`, `\/take` or `\/skip` settles it\)\.$/u,
    );
    expect(listKinds(unassigned)).not.toContain("DispatchJob");
    const chunks = [MONTHS, CATEGORIES];
    const more = { checkpoints: [{ after: "months", reason: "look at the schema" }] };
    const story = new Story().propose(chunks, more).approve();
    story.start(months).receive(months).commit(months).floor(months, passFloor()).review(months, passReview(MONTHS));
    story.land(months);
    story.command("replan", "words, too");
    const draft = buildDraft([...chunks, buildChunk("words")], more);
    story.receiveDraft(draft).commitPlan(draft).comment("approval:2").approve();
    expect(readAnswer(story)[1]).toMatch(
      /is approved\. Nothing starts yet: the checkpoint after `months` waits for `\/resume`\.$/u,
    );
    story.comment("need:checkpoint:months:1").command("resume");
    expect(readAnswer(story)[1]).toBe("Resumed: the checkpoint after `months` is passed.");
  });

  it("goes past no checkpoint that was not shown yet when somebody wrote `/resume`", () => {
    const more = {
      checkpoints: [
        { after: "months", reason: "look at the schema" },
        { after: "categories", reason: "look at the names" },
      ],
    };
    const land = (story: Story, chunk: typeof MONTHS): Story => {
      const id = chunkId(chunk.id);
      story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
      return story.land(id);
    };
    const [first, second] = ["months:1", "categories:1"];
    const tell = (): Story => new Story().propose([MONTHS, CATEGORIES], more).approve();
    // Written after the first question, read after the second one.
    const late = land(tell(), MONTHS).comment(`need:checkpoint:${first}`);
    const written = late.state.comments[`need:checkpoint:${first}`]!.id + 0.5;
    land(late, CATEGORIES).comment(`need:checkpoint:${second}`);
    late.record({ kind: "CommandReceived", comment: written, line: 0, on: 7, by: "alice", name: "resume", args: "" });
    expect(late.state.passedCheckpoints).toEqual([first]);
    expect(readAnswer(late)).toEqual([
      true,
      expect.stringMatching(/after `months` is passed\. .*after `categories` was not shown yet/u),
    ]);
    late.command("resume");
    expect(late.state.passedCheckpoints).toEqual([first, second]);
    // The landing was seen before anybody asked.
    const early = land(tell(), MONTHS);
    early.command("resume");
    expect(readAnswer(early)).toEqual([
      false,
      expect.stringMatching(/^The checkpoint after `months` was not shown yet/u),
    ]);
    early.command("pause");
    early.command("resume");
    expect(early.state.paused).toBeNull();
    expect(early.state.passedCheckpoints).toEqual([]);
    // A locked issue takes no question: who writes on it has looked for themselves.
    const effect = `comment:need:checkpoint:${first}`;
    const refusal = { failure: "terminal", message: "locked", ambiguous: false, retryAfterMs: null } as const;
    early.record({ kind: "EffectFailed", effect, ...refusal }).command("resume");
    expect(early.state.passedCheckpoints).toEqual([first]);
  });

  it("says that there is nothing to approve", () => {
    const early = new Story();
    early.command("approve");
    expect(readAnswer(early)[1]).toContain("There is no plan to approve yet.");
    const twice = tellProposal().approve().approve();
    expect(readAnswer(twice)[1]).toBe("Plan revision 1 is approved already.");
  });

  it("is the only thing that starts chunks where the policy wants a person", () => {
    const story = tellProposal();
    expect(listKinds(story)).not.toContain("DispatchJob");
    expect(listKinds(story.approve())).toContain("DispatchJob");
  });
});

describe("/retry", () => {
  it("gives fresh tries, but no reviewers without end", () => {
    const story = new Story({ config: { plan: { approval: "auto" } } });
    const world = buildWorld(buildDraft([MONTHS]), { review: () => voidReview() });
    play(story, world);
    story.command("retry", "months");
    expect(deriveStops(story.state).escalated.size).toBe(0);
    play(story, world);
    expect(deriveStops(story.state).escalated.get(months)?.gate).toBe("reviewer");
    expect(findRow(story.state.chunks, months)?.attempts).toHaveLength(1);
  });

  it("lets a verdict count that comes after it", () => {
    const story = tellProposal().approve().start(months).receive(months).commit(months).floor(months, passFloor());
    story.command("retry", "months");
    story.review(months, passReview(MONTHS));
    expect(story.attemptOf(months).stage).toBe("verified");
  });

  it("knows no chunk that is not there, and none that has landed", () => {
    const story = tellMidRun();
    story.command("retry", "nothing");
    expect(readAnswer(story)[1]).toBe("No chunk is named `nothing`. There are: months, categories, budgets, report.");
    story.command("retry", "months");
    expect(readAnswer(story)[1]).toBe("Chunk `months` has landed already.");
  });
});

describe("/assign", () => {
  const config = { agents: [{ name: "default" }, { name: "other" }] };

  it("gives a chunk to another agent at once; what the former one is at is stopped", () => {
    const story = tellProposal({ config }).approve().start(months);
    const former = story.attemptOf(months).job;
    story.command("assign", "months other");
    const { actions } = decide(story.state, story.now, TIMING);
    expect(actions.find((action) => action.kind === "CancelJob")).toMatchObject({ job: former });
    const next = actions.find((action) => action.kind === "DispatchJob" && action.dispatch.attempt?.chunk === months);
    expect(next?.kind === "DispatchJob" ? next.dispatch.request.agent : null).toBe("other");
    story.receive(months);
    expect(story.attemptOf(months).stage).toBe("superseded");
  });

  it("names the agents there are", () => {
    const story = tellProposal({ config }).approve();
    story.command("assign", "months nobody");
    expect(readAnswer(story)[1]).toBe("No agent is named `nobody`. There are: default, other.");
  });
});

describe("/pause and /resume", () => {
  it("starts and lands nothing in between, and lets what runs go on", () => {
    const story = tellProposal().approve().start(months);
    story.command("pause");
    expect(deriveHold(story.state)).toBe("paused by alice");
    story.receive(months);
    expect(listKinds(story)).toContain("CommitChangeSet");
    story.commit(months).floor(months, passFloor()).review(months, passReview(MONTHS));
    expect(listKinds(story)).not.toContain("LandChunks");
    story.command("resume");
    expect(listKinds(story)[0]).toBe("LandChunks");
  });
});

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

describe("/take", () => {
  it("gives a branch to the person, which goes with the others when the run is given up", () => {
    const story = tellProposal().approve();
    story.command("take", months);
    expect(listKinds(story)).toContain("PrepareTake");
    const tip = story.state.integration?.tip;
    if (tip === undefined) throw new Error("a proposed plan stands on a branch");
    story.record({ kind: "TakePrepared", chunk: months, base: tip, n: 1 });
    story.command("cancel");
    expect(listOurBranches(story.state).deletable).toContain(`taskfleet/${story.state.run.run}/chunk/${months}`);
  });
});
