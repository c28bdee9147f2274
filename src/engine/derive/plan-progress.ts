import type { Chunk } from "../../contracts/plan.ts";
import type { PlanRevision, RunState } from "../state.ts";
import { once } from "./once.ts";
import { formatPauses } from "./pauses.ts";

/** The newest committed revision that nobody approved yet, or null; also null while another one is being written. */
export function deriveProposal(state: RunState): PlanRevision | null {
  const newest = state.revisions.at(-1);
  if (newest === undefined || !state.planning.done) return null;
  return state.approved !== null && state.approved.rev >= newest.rev ? null : newest;
}

/** The revision chunks follow, or null before the first approval. */
export function deriveActiveRevision(state: RunState): PlanRevision | null {
  return state.revisions.find((entry) => entry.rev === state.approved?.rev) ?? null;
}

const indexChunks = once((revision: PlanRevision) => new Map(revision.plan.chunks.map((chunk) => [chunk.id, chunk])));

/** What the revision says of a chunk; undefined of one that it does not contain. */
export function findChunk(revision: PlanRevision, id: string): Chunk | undefined {
  return indexChunks(revision).get(id);
}

/** Why nothing new may be dispatched or landed now, or null. */
export function deriveHold(state: RunState): string | null {
  if (state.ended !== null) return "the run has ended";
  if (state.cancelled !== null) return "the run is cancelled";
  if (state.interference !== null)
    return state.interference.what === "closed" ? "the issue was closed" : "the label was removed";
  if (state.paused !== null) return `paused by ${formatPauses(state.paused)}`;
  if (Object.values(state.lostBranches).some((branch) => branch.lost))
    return "a branch of the run was deleted and is being restored";
  if (!state.planning.done)
    return state.planning.request === null ? "the plan is being written" : "a new plan revision is being written";
  if (deriveProposal(state) !== null) return `plan revision ${deriveProposal(state)?.rev} waits for approval`;
  if (state.approved === null) return "no plan is approved";
  return null;
}
