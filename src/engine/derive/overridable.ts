/** What people may overrule now, by the names they type. */
import type { ChunkId } from "../../contracts/ids.ts";
import type { CandidateState, ChunkState, RunState } from "../state.ts";
import { findSuccessor } from "./accept-progress.ts";
import { listBlockers, listChunkBlockers } from "./blockers.ts";
import { isOverruled, listFailedGates, listOpenGates } from "./overrides.ts";
import { deriveProposal } from "./plan-progress.ts";

/** Of the newest attempt: what failed and stands, and what writers request. */
export function listOverridableOfChunk(state: RunState, chunk: ChunkState): readonly string[] {
  const last = chunk.attempts.at(-1);
  if (last === undefined || chunk.landed !== null) return [];
  const subject = { chunk: chunk.id, attempt: last.n, accept: null };
  switch (last.stage) {
    case "review-failed":
      return ["review"];
    case "verified":
      return listChunkBlockers(state, chunk, last.n).length > 0 ? ["review"] : [];
    case "floor-failed":
      return last.floor === null ? [] : listOpenGates(last.floor.result, state, subject);
    case "integration-failed": {
      const floor = findFailedCandidate(state, chunk.id)?.floor ?? null;
      if (floor === null) return [];
      const open = listOpenGates(floor.result, state, subject);
      // All were overruled on the chunk itself: what they find here is new.
      return open.length > 0 ? open : listFailedGates(floor.result);
    }
    default:
      return [];
  }
}

/** The newest candidate of this chunk alone: what fails there is the whole with what has landed. */
export function findFailedCandidate(state: RunState, chunk: ChunkId): CandidateState | null {
  return (
    state.candidates.rows.findLast(
      ({ floor, chunks }) => floor !== null && chunks.length === 1 && chunks[0] === chunk,
    ) ?? null
  );
}

/** Of the newest acceptance of the whole feature. */
export function listOverridableOfFeature(state: RunState): readonly string[] {
  const last = state.accepts.at(-1);
  if (last === undefined || findSuccessor(last, state) !== null) return [];
  const subject = { chunk: null, attempt: null, accept: last.n };
  const names: string[] = last.floor === null ? [] : [...listOpenGates(last.floor.result, state, subject)];
  if (last.review !== null) {
    const stands = last.review.result.outcome === "fail" && !isOverruled(state.overrides, "review", subject);
    if (stands || listFeatureBlockers(state).length > 0) names.push("review");
  }
  if (last.accepted !== null && state.run.config.ci.gather && last.ci?.state !== "pass") names.push("ci");
  return names;
}

/** Writers whose request for changes of the feature nobody overruled for the newest acceptance. */
export function listFeatureBlockers(state: RunState): readonly string[] {
  const accept = state.accepts.at(-1);
  if (accept === undefined || state.featurePull === null) return [];
  return listBlockers(state, state.featurePull.number, { chunk: null, attempt: null, accept: accept.n });
}

/** Whether a draft stands before the plan's gate. */
export function isPlanGateOpen(state: RunState): boolean {
  return !state.planning.done && deriveProposal(state) === null && state.planning.drafts.at(-1)?.outcome === "valid";
}
