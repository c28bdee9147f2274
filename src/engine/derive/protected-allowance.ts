import type { Chunk } from "../../contracts/plan.ts";
import type { RunState } from "../state.ts";

/**
 * Protected files that these chunks may change: those they declare, in a revision that a person approved. The
 * approval policy asks a person for every such revision; this does not rely on it.
 */
export function listProtectedAllowance(state: RunState, chunks: readonly Chunk[]): readonly string[] {
  if (state.approved === null || state.approved.by === "policy") return [];
  return chunks.flatMap((chunk) => chunk.files_touched);
}
