import { describe, expect, it } from "@jest/globals";
import { formatSaying } from "../../src/contracts/saying.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveHold } from "../../src/engine/derive/plan-progress.ts";
import { listOurBranches } from "../../src/engine/derive/branches.ts";
import { deriveStops } from "../../src/engine/derive/chunk-progress.ts";
import { chunkId } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, TIMING } from "../engine-stories/play.ts";
import { passFloor, passReview, voidReview } from "../engine-stories/results.ts";
import { CATEGORIES, MONTHS, tellMidRun, tellProposal } from "../engine-stories/stories.ts";
import { listKinds, readAnswer } from "../engine-stories/said.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld } from "../engine-stories/world.ts";
import { findRow } from "../../src/engine/table.ts";

const months = chunkId("months");

/** Approved, with a chunk nobody fits. */
function tellUnassigned(): Story {
  return new Story({ config: { agents: [{ name: "web" }, { name: "api" }] } })
    .propose([MONTHS, CATEGORIES], {
      unassignable: [{ chunk: "categories", reason: "nobody knows categories" }],
      assignments: { months: "api" },
    })
    .approve();
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
