import type { ChunkId } from "../../contracts/ids.ts";
import { isSettled } from "./chunk-progress.ts";
import type { RunState } from "../state.ts";

/** Chunks no agent of the registry fits and nobody has taken. */
export function listUnassignable(state: RunState): readonly ChunkId[] {
  return Object.values(state.chunks)
    .filter((chunk) => chunk.agent === "" && chunk.taken === null && !isSettled(chunk))
    .map((chunk) => chunk.id);
}
