import { describe, expect, it } from "@jest/globals";
import type { ChunkId } from "../../src/contracts/ids.ts";
import { formatBeads } from "../../src/messages/beads.ts";
import { buildChunk } from "../engine-stories/plans.ts";
import { tellAllLanded } from "../engine-stories/stories.ts";
import { Story } from "../engine-stories/story.ts";
import { findRow } from "../../src/engine/table.ts";

interface Bead {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly issue_type: string;
  readonly closed_at?: string;
  readonly dependencies?: ReadonlyArray<{
    readonly issue_id: string;
    readonly depends_on_id: string;
    readonly type: string;
  }>;
}

const CHUNKS = [buildChunk("a"), buildChunk("b", ["a"])];
const read = (text: string): Bead[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Bead);

describe("a run for `bd`", () => {
  it("is an epic with a task per chunk, each waiting for those it needs", () => {
    const [epic, a, b] = read(formatBeads(new Story().propose(CHUNKS).state, CHUNKS));
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
    const [, a] = read(formatBeads(state, CHUNKS));
    const [, , later] = read(formatBeads(state, [buildChunk("new"), ...CHUNKS]));
    expect(later?.id).toBe(a?.id);
    const second = { ...state, run: { ...state.run, run: "7.2-budgets" as typeof state.run.run } };
    expect(read(formatBeads(second, CHUNKS))[1]?.id).not.toBe(a?.id);
  });

  it("is closed with its time where a chunk has landed, and open without one elsewhere", () => {
    const { state } = tellAllLanded();
    const chunks = state.revisions.at(-1)?.plan.chunks ?? [];
    const beads = read(formatBeads(state, chunks));
    expect(beads.every((bead) => bead.status === "closed")).toBe(true);
    for (const [index, chunk] of chunks.entries())
      expect(Date.parse(beads[index + 1]?.closed_at ?? "")).toBe(
        findRow(state.chunks, chunk.id as ChunkId)?.landed?.at,
      );
    for (const bead of read(formatBeads(new Story().propose(CHUNKS).state, CHUNKS)))
      expect(bead).not.toHaveProperty("closed_at");
  });

  it("is the same text for the same state, and a line per entry whatever the plan says", () => {
    const nasty = [buildChunk("a", [], { title: "x\ny", brief: "line\n\u2028line" })];
    const { state } = new Story().propose(nasty);
    expect(formatBeads(state, nasty)).toBe(formatBeads(state, nasty));
    expect(read(formatBeads(state, nasty))).toHaveLength(2);
  });
});
