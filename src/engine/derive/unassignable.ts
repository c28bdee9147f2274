import type { ChunkId } from "../../contracts/ids.ts";
import { isSettled } from "./chunk-progress.ts";
import type { ChunkState, RunState } from "../state.ts";
import { perRow } from "../table.ts";
import { once } from "./once.ts";

const findUnassignable = perRow((chunk: ChunkState) =>
  chunk.agent === "" && chunk.taken === null && !isSettled(chunk) ? chunk.id : null,
);
const keepIds = once((ids: ReadonlyArray<ChunkId | null>) => ids.filter((id) => id !== null));

/** Chunks no agent of the registry fits and nobody has taken. */
export function listUnassignable(state: RunState): readonly ChunkId[] {
  return keepIds(findUnassignable(state.chunks).rows);
}
