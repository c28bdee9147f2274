import { formatEvidencePath } from "../../contracts/names.ts";
import type { Chunk } from "../../contracts/plan.ts";
import type { RunState } from "../../engine/state.ts";
import type { TreeChange } from "../../github/port.ts";
import { formatBeads } from "../../messages/beads.ts";

/** The chunks for `bd`, as a file of the run's evidence, where the configuration asks for it. */
export function listBeads(state: RunState, chunks: readonly Chunk[]): readonly TreeChange[] {
  if (state.run.config.tracker !== "beads") return [];
  const path = formatEvidencePath(state.run.run, { kind: "beads" });
  return [{ path, mode: "100644", content: formatBeads(state, chunks) }];
}
