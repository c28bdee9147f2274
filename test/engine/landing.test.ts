import { describe, expect, it } from "@jest/globals";
import type { ChunkId } from "../../src/contracts/ids.ts";
import { deriveRiders, formatCandidateHash, listVerified } from "../../src/engine/derive/landing-queue.ts";
import { decide } from "../../src/engine/decide.ts";
import { deriveNeeds } from "../../src/engine/derive/needs.ts";
import { deriveTries } from "../../src/engine/derive/chunk-progress.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import { chunkId, fakeSha } from "../engine-stories/names.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { play, type Play, TIMING } from "../engine-stories/play.ts";
import { failFloor, passFloor, passReview } from "../engine-stories/results.ts";
import { Story } from "../engine-stories/story.ts";
import { buildWorld, type World } from "../engine-stories/world.ts";
import { buildTable, findRow } from "../../src/engine/table.ts";

const AUTO = { plan: { approval: "auto" }, merge: { feature: "auto" } };
const SIX: readonly Chunk[] = ["a", "b", "c", "d", "e", "f"].map((id) => buildChunk(id));

function tell(
  chunks: readonly Chunk[],
  change: Partial<World> = {},
  config: unknown = AUTO,
): { story: Story; played: Play } {
  const story = new Story({ config });
  return { story, played: play(story, buildWorld(buildDraft(chunks), change)) };
}

function listLandings({ steps }: Play): ReadonlyArray<readonly [via: string, chunks: readonly ChunkId[]]> {
  return steps.flatMap(({ action }) => (action.kind === "LandChunks" ? [[action.via, action.chunks] as const] : []));
}

/** Six chunks verified on the tip they all began at, one of them landed. */
function tellSixVerified(): Story {
  const story = new Story({ config: { limits: { parallel: 10 } } }).propose(SIX).approve();
  for (const { id } of SIX) story.start(chunkId(id));
  for (const chunk of SIX) {
    const id = chunkId(chunk.id);
    story.receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
  }
  return story.land(chunkId("a"));
}

describe("landing", () => {
  it("lands a chunk that was built on the tip as it is", () => {
    const { played } = tell([buildChunk("a"), buildChunk("b", ["a"])]);
    expect(listLandings(played)).toEqual([
      ["direct", ["a"]],
      ["direct", ["b"]],
    ]);
  });

  it("waits for a pull request that may be there already, and for none that GitHub refuses again", () => {
    const [chunk] = SIX;
    if (chunk === undefined) throw new Error("there is no chunk");
    const id = chunkId(chunk.id);
    const tellKilled = (): Story => {
      const story = new Story({ config: AUTO }).propose([chunk]).approve().start(id).receive(id);
      story.record({
        kind: "ChangeSetCommitted",
        chunk: id,
        attempt: 1,
        head: fakeSha("a-1"),
        tree: fakeSha("tree-a-1"),
      });
      // Killed before the answer came, while everything else goes on.
      story.record({ kind: "EffectStarted", effect: `pull:${id}:1` });
      return story.floor(id, passFloor()).review(id, passReview(chunk));
    };
    const listKinds = (story: Story) => decide(story.state, story.now, TIMING).actions.map(({ kind }) => kind);
    const story = tellKilled();
    expect(listKinds(story)).not.toContain("LandChunks");
    story.wait(30_000 + TIMING.staleReadMs);
    expect(decide(story.state, story.now, TIMING).actions).toContainEqual(
      expect.objectContaining({ kind: "OpenChunkPull", chunk: id, probe: true }),
    );
    expect(listKinds(story)).not.toContain("LandChunks");
    story.record({ kind: "ChunkPullOpened", effect: `pull:${id}:1`, chunk: id, number: 77, url: "https://x/77" });
    expect(listKinds(story)).toContain("LandChunks");

    const refused = tellKilled();
    const refuse = () =>
      refused.record({
        kind: "EffectFailed",
        effect: `pull:${id}:1`,
        failure: "terminal",
        message: "GitHub answers 422",
        ambiguous: false,
        retryAfterMs: null,
      });
    refuse();
    // Once may have been a replica that had not heard of the push.
    expect(listKinds(refused)).not.toContain("LandChunks");
    refused.wait(2 * TIMING.staleReadMs);
    expect(listKinds(refused)).toContain("OpenChunkPull");
    expect(listKinds(refused)).not.toContain("LandChunks");
    refuse();
    expect(listKinds(refused)).toContain("LandChunks");
  });

  it("waits until its verdict stands on the pull request, and for none that GitHub refuses again", () => {
    const [chunk] = SIX;
    if (chunk === undefined) throw new Error("there is no chunk");
    const id = chunkId(chunk.id);
    const story = new Story({ config: AUTO }).propose([chunk]).approve().start(id).receive(id).commit(id);
    const job = story.floor(id, passFloor()).dispatch({ role: "review", chunk: id }, 1);
    story.endJob(job).record({
      kind: "VerdictVerified",
      job,
      subject: { kind: "attempt", chunk: id, attempt: 1 },
      commit: fakeSha("a-1"),
      result: passReview(chunk),
      chunks: [],
      ledger: [],
    });
    const listKinds = () => decide(story.state, story.now, TIMING).actions.map(({ kind }) => kind);
    expect(listKinds()).toContain("PostReview");
    expect(listKinds()).not.toContain("LandChunks");
    const fail = (failure: "transient" | "terminal") =>
      story.record({
        kind: "EffectFailed",
        effect: "review:a:1",
        failure,
        message: "GitHub answers so",
        ambiguous: false,
        retryAfterMs: null,
      });
    fail("transient");
    expect(listKinds()).not.toContain("LandChunks");
    fail("terminal");
    expect(listKinds()).not.toContain("LandChunks");
    fail("transient");
    fail("terminal");
    expect(listKinds()).toContain("LandChunks");
  });

  it("verifies chunks together when the tip has moved", () => {
    const story = tellSixVerified();
    const { steps } = play(story, buildWorld(buildDraft(SIX)), { until: (state) => state.merged !== null });
    expect(listLandings({ steps } as Play)).toEqual([["candidate", ["b", "c", "d", "e", "f"]]]);
  });

  it("halves a group that fails until the culprit rides alone, and lands the others", () => {
    const story = tellSixVerified();
    const world = buildWorld(buildDraft(SIX), {
      candidate: (chunks) => (chunks.includes(chunkId("d")) ? failFloor() : passFloor()),
    });
    const { steps } = play(story, world, {
      until: (state) => state.chunks.rows.every((chunk) => chunk.landed !== null || chunk.id === "d"),
    });
    expect(listLandings({ steps } as Play).flatMap(([, chunks]) => chunks)).toEqual(
      expect.arrayContaining(["b", "c", "e", "f"]),
    );
    expect(findRow(story.state.chunks, chunkId("d"))?.landed).toBeNull();
    expect(findRow(story.state.chunks, chunkId("d"))?.attempts[0]?.stage).toBe("integration-failed");
  });

  it("tries a group on the same tip never twice", () => {
    const story = tellSixVerified();
    const tip = story.state.integration?.tip ?? fakeSha("none");
    const verified = listVerified(story.state);
    const failed = (count: number) => {
      const riders = verified.slice(0, count);
      return {
        hash: formatCandidateHash(
          tip,
          riders.map((rider) => rider.head),
        ),
        commit: fakeSha(`c${count}`),
        tree: fakeSha(`t${count}`),
        base: tip,
        chunks: riders.map((rider) => rider.chunk.id),
        floor: { job: "job" as never, result: failFloor(), document: "" },
        lostJobs: 0,
      };
    };
    const ride = (...counts: readonly number[]): number =>
      deriveRiders(
        { ...story.state, candidates: buildTable(counts.map(failed).map((one) => [one.hash, one])) },
        verified,
        tip,
      ).length;
    expect(ride()).toBe(5);
    expect(ride(5)).toBe(3);
    expect(ride(5, 3)).toBe(2);
    expect(ride(5, 3, 2)).toBe(1);
    // Alone there is nothing left to halve: the failure is the chunk's own.
    expect(ride(5, 3, 2, 1)).toBe(1);
  });

  it("builds a chunk again that conflicts with what has landed, which costs no try", () => {
    const { story, played } = tell(SIX.slice(0, 2), { conflicts: (_chunk, n) => n === 1 });
    const again = story.state.chunks.rows.find((chunk) => chunk.attempts.length === 2);
    expect(again?.attempts.map((attempt) => attempt.stage)).toEqual(["conflicted", "landed"]);
    expect(again === undefined ? null : deriveTries(again)).toMatchObject({ floor: 0, review: 0, integration: 0 });
    expect(listLandings(played)).toHaveLength(2);
    expect(story.state.ended).toBe("merged");
  });

  it("builds a chunk anew on the tip when it fails with what has landed, so that it lands as it is", () => {
    const { story } = tell(SIX.slice(0, 2), { candidate: () => failFloor() }, { ...AUTO, limits: { tries: 2 } });
    const stuck = story.state.chunks.rows.find((chunk) => chunk.landed === null);
    // The next attempt is built on the tip, so it lands directly: it never rides a candidate twice.
    expect(stuck).toBeUndefined();
    expect(story.state.ended).toBe("merged");
  });

  it("lands a group that passed although more chunks were verified while its floor ran", () => {
    const story = new Story({ config: { limits: { parallel: 10 } } }).propose(SIX).approve();
    for (const { id } of SIX) story.start(chunkId(id));
    const verify = (...ids: readonly string[]): void => {
      for (const chunk of SIX.filter((one) => ids.includes(one.id))) {
        const id = chunkId(chunk.id);
        story.receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk));
      }
    };
    verify("a", "b", "c");
    story.land(chunkId("a"));
    const { steps } = play(story, buildWorld(buildDraft(SIX)), { until: (state) => state.candidates.rows.length > 0 });
    expect(steps.at(-1)?.action).toMatchObject({ kind: "CreateCandidate", chunks: ["b", "c"] });
    verify("d", "e");
    const more = play(story, buildWorld(buildDraft(SIX)), { until: (state) => state.candidates.rows.length > 1 });
    expect(listLandings(more)).toEqual([["candidate", ["b", "c"]]]);
  });

  it("asks people when the floor of a group gives no result again and again, and runs it again after /retry", () => {
    const story = tellSixVerified();
    play(story, buildWorld(buildDraft(SIX)), { until: (state) => state.candidates.rows.length > 0 });
    const subject = { role: "floor", subject: `candidate-${story.state.candidates.rows[0]?.hash ?? ""}` } as const;
    const isDispatched = (): boolean =>
      decide(story.wait(3_600_000).state, story.now, TIMING).actions.some(
        (action) => action.kind === "DispatchJob" && action.dispatch.subject.role === "floor",
      );
    for (let lost = 0; lost < 3; lost += 1) {
      expect(isDispatched()).toBe(true);
      story.endJob(story.dispatch(subject), "lost", "no runner");
    }
    expect(isDispatched()).toBe(false);
    expect(deriveNeeds(story.state, story.now)).toMatchObject([
      { kind: "landing", chunks: ["b", "c", "d", "e", "f"], lost: 3 },
    ]);
    story.command("retry", "c");
    expect(deriveNeeds(story.state, story.now)).toEqual([]);
    expect(isDispatched()).toBe(true);
  });

  it("names a candidate by what it is made of, in whatever order", () => {
    const heads = [fakeSha("1"), fakeSha("2")];
    const tip = fakeSha("tip");
    expect(formatCandidateHash(tip, heads)).toBe(formatCandidateHash(tip, heads.toReversed()));
    expect(formatCandidateHash(tip, heads)).not.toBe(formatCandidateHash(fakeSha("other"), heads));
    expect(formatCandidateHash(tip, heads)).toMatch(/^[0-9a-f]{12}$/u);
  });

  it("starts over when somebody else moves the integration branch", () => {
    const story = new Story().propose(SIX.slice(0, 1)).approve();
    const id = chunkId("a");
    story
      .start(id)
      .receive(id)
      .commit(id)
      .floor(id, passFloor())
      .review(id, passReview(buildChunk("a")));
    story.record({ kind: "TipMoved", sha: fakeSha("pushed") });
    const { steps } = play(story, buildWorld(buildDraft(SIX.slice(0, 1))), {
      until: (state) => state.accepts.length > 0,
    });
    expect(listLandings({ steps } as Play)).toEqual([["candidate", ["a"]]]);
  });

  it("accepts anew, and asks for no second fix, when the branch is back on the tip that was found wanting", () => {
    const chunk = buildChunk("a");
    const id = chunkId("a");
    const story = new Story({ config: AUTO }).propose([chunk]).approve();
    story.start(id).receive(id).commit(id).floor(id, passFloor()).review(id, passReview(chunk)).land(id);
    const wanting = story.state.integration?.tip ?? fakeSha("none");
    story.createAccept().floorAccept(failFloor());
    play(story, buildWorld(buildDraft([chunk])), { until: (state) => state.approved?.rev === 2 });
    story.record({ kind: "TipMoved", sha: wanting });
    const asked = play(story, buildWorld(buildDraft([chunk])), { until: (state) => state.accepts.length > 1 });
    expect(asked.steps.map(({ action }) => action.kind)).not.toContain("RequestFix");
    expect(story.state.fixes).toEqual([{ n: 1, how: "fix" }]);
    expect(story.state.accepts.at(-1)).toMatchObject({ n: 2, tip: wanting });
  });

  it("accepts anew when the source branch has moved on before the merge", () => {
    const { story } = tell(SIX.slice(0, 1), { sourceMoves: (n) => n === 1 });
    expect(story.state.accepts.map((accept) => accept.stale !== null)).toEqual([true, false]);
    expect(story.state.ended).toBe("merged");
  });
});
