import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { ChunkId } from "../../src/contracts/ids.ts";
import { formatBeads } from "../../src/messages/beads.ts";
import { buildChunk, buildDraft } from "../engine-stories/plans.ts";
import { tellAllLanded } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { findRow } from "../../src/engine/table.ts";
import { readBeads } from "./read-beads.ts";

const CHUNKS = [buildChunk("a"), buildChunk("b", ["a"])];
describe("a run for `bd`", () => {
  it("is an epic with a task per chunk, each waiting for those it needs", () => {
    const [epic, a, b] = readBeads(formatBeads(new Story().propose(CHUNKS).state, CHUNKS));
    expect(epic).toMatchObject({ issue_type: "epic", status: "open" });
    expect(a).toMatchObject({ title: expect.stringMatching(/^a: /u), issue_type: "task", status: "open" });
    expect(b?.dependencies).toMatchObject([
      { issue_id: b?.id, depends_on_id: epic?.id, type: "parent-child" },
      { issue_id: b?.id, depends_on_id: a?.id, type: "blocks" },
    ]);
    for (const bead of [epic, a, b]) expect(bead?.id).toMatch(/^tf7-[0-9a-f]{8}$/u);
  });

  it("keeps its names when the plan is revised, and has other ones in another run of the issue", () => {
    const { state } = new Story().propose(CHUNKS);
    const [, a] = readBeads(formatBeads(state, CHUNKS));
    const [, , later] = readBeads(formatBeads(state, [buildChunk("new"), ...CHUNKS]));
    expect(later?.id).toBe(a?.id);
    const second = { ...state, run: { ...state.run, run: "7.2-budgets" as typeof state.run.run } };
    expect(readBeads(formatBeads(second, CHUNKS))[1]?.id).not.toBe(a?.id);
  });

  it("is closed with its time where a chunk has landed, and open without one elsewhere", () => {
    const { state } = tellAllLanded();
    const chunks = state.revisions.at(-1)?.plan.chunks ?? [];
    const beads = readBeads(formatBeads(state, chunks));
    expect(beads.every((bead) => bead.status === "closed")).toBe(true);
    for (const [index, chunk] of chunks.entries())
      expect(Date.parse(beads[index + 1]?.closed_at ?? "")).toBe(
        findRow(state.chunks, chunk.id as ChunkId)?.landed?.at,
      );
    for (const bead of readBeads(formatBeads(new Story().propose(CHUNKS).state, CHUNKS)))
      expect(bead).not.toHaveProperty("closed_at");
  });

  it("is the same text for the same state, and a line per entry whatever the plan says", () => {
    const nasty = [buildChunk("a", [], { title: "x\ny", brief: "line\n\u2028line" })];
    const { state } = new Story().propose(nasty);
    expect(formatBeads(state, nasty)).toBe(formatBeads(state, nasty));
    expect(readBeads(formatBeads(state, nasty))).toHaveLength(2);
  });

  it("is no older in a later file, also where a chunk that had landed is to be built again", () => {
    const story = tellAllLanded();
    const chunks = story.state.revisions.at(-1)?.plan.chunks ?? [];
    const files = [formatBeads(story.state, chunks)];
    const changed = chunks.map((chunk) => ({ ...chunk, brief: `${chunk.brief} Anew.` }));
    story.command("replan", "do it anew");
    story.commitPlan(buildDraft(changed)).comment("approval:2").approve();
    files.push(formatBeads(story.state, changed), formatBeads(story.state, [...changed, buildChunk("late")]));
    const [before = [], after = [], last = []] = files.map(readBeads);
    expect(before.every(({ status }) => status === "closed")).toBe(true);
    expect(after.every(({ status }) => status === "open")).toBe(true);
    for (const [earlier, later] of [
      [before, after],
      [after, last],
    ] as const)
      for (const bead of earlier) {
        const same = later.find(({ id }) => id === bead.id);
        expect(Date.parse(same?.updated_at ?? "")).toBeGreaterThanOrEqual(Date.parse(bead.updated_at));
      }
  });

  it("closes what a revision has dropped and an earlier file has shown", () => {
    const story = new Story().propose(CHUNKS).approve();
    const beads = readBeads(formatBeads(story.state, [buildChunk("a"), buildChunk("c", ["a"])]));
    const b = beads.find(({ title }) => title.startsWith("b: "));
    expect(b).toMatchObject({ status: "closed", close_reason: "Not built" });
  });

  it("has titles of at most 500 bytes, cut between characters, and a name where a title is invisible", () => {
    const long = [buildChunk("a", [], { title: "界".repeat(300) }), buildChunk("b", [], { title: "🙂".repeat(130) })];
    const [, a, b] = readBeads(formatBeads(new Story().propose(long).state, long));
    expect(a?.title).toBe(`a: ${"界".repeat(165)}`);
    expect(b?.title).toBe(`b: ${"🙂".repeat(124)}`);
    const hidden = new Story({ title: "\u200B\u200B" }).propose(CHUNKS).state;
    expect(readBeads(formatBeads(hidden, CHUNKS))[0]?.title).toBe(hidden.run.run);
  });

  it("is read by the rules of `bd`, whatever people and models have written", () => {
    const text = fc.string({ unit: "binary", maxLength: 600 });
    const { state } = new Story().propose(CHUNKS);
    fc.assert(
      fc.property(text, text, text, (title, brief, desc) => {
        const chunks = [buildChunk("a", [], { title, brief, checks: [{ desc, run: "true" }] }), buildChunk("b", ["a"])];
        const told = { ...state, run: { ...state.run, title } };
        expect(readBeads(formatBeads(told, chunks))).toHaveLength(3);
      }),
      { numRuns: 200 },
    );
  });
});
