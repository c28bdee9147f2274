import type { ChunkId } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { RunState } from "../state.ts";
import { findRow, putRow } from "../table.ts";

/** A chunk that is taken up again has its branch again, whatever became of the former one. */
export function restoreBranch(state: RunState, chunk: ChunkId): RunState {
  const branch = formatBranch({ kind: "chunk", run: state.run.run, chunk });
  if (findRow(state.deletedBranches, branch) !== true) return state;
  return { ...state, deletedBranches: putRow(state.deletedBranches, branch, false) };
}
