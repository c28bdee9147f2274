/** What a tracker shows of a run: its chunks, as far as a plan is approved. A picture of the state, never a part of it. */
import type { ChunkId } from "../../contracts/ids.ts";
import type { Chunk } from "../../contracts/plan.ts";
import type { RunState } from "../state.ts";
import { deriveActiveRevision } from "./plan-progress.ts";
import { findRow } from "../table.ts";

export interface TrackerItem {
  readonly chunk: ChunkId;
  readonly definition: Chunk;
  /** done: landed; dropped: nobody will build it any more. */
  readonly status: "open" | "done" | "dropped";
  readonly blockedBy: readonly ChunkId[];
}

/** In the plan's order; none before the first approval. */
export function listTrackerItems(state: RunState): readonly TrackerItem[] {
  return listPlanItems(state, deriveActiveRevision(state)?.plan.chunks ?? []);
}

/** The same of a plan that is not approved yet. */
export function listPlanItems(state: RunState, chunks: readonly Chunk[]): readonly TrackerItem[] {
  const over = state.ended !== null || state.cancelled !== null;
  return chunks.map((definition) => {
    const chunk = findRow(state.chunks, definition.id as ChunkId);
    const landed = chunk !== undefined && chunk.landed !== null;
    return {
      chunk: definition.id as ChunkId,
      definition,
      status: landed ? "done" : over || chunk?.skipped === true ? "dropped" : "open",
      blockedBy: (definition.deps ?? []) as ChunkId[],
    };
  });
}
