/** The same state with one part replaced. */
import type { ChunkId, JobId } from "../../contracts/ids.ts";
import type { AcceptState, AttemptState, CandidateState, ChunkState, RunState } from "../state.ts";
import { changeLast } from "./omit.ts";

export function changeChunk(state: RunState, id: ChunkId, change: (chunk: ChunkState) => ChunkState): RunState {
  const chunk = state.chunks[id];
  if (chunk === undefined) return state;
  return { ...state, chunks: { ...state.chunks, [id]: change(chunk) } };
}

export function changeAttempt(
  state: RunState,
  id: ChunkId,
  n: number,
  change: (attempt: AttemptState) => AttemptState,
): RunState {
  return changeChunk(state, id, (chunk) => ({
    ...chunk,
    attempts: changeLast(chunk.attempts, (attempt) => attempt.n === n, change),
  }));
}

export function changeAttemptOfJob(
  state: RunState,
  id: ChunkId,
  job: JobId,
  change: (attempt: AttemptState) => AttemptState,
): RunState {
  return changeChunk(state, id, (chunk) => ({
    ...chunk,
    attempts: changeLast(chunk.attempts, (attempt) => attempt.job === job, change),
  }));
}

export function changeCandidate(
  state: RunState,
  hash: string,
  change: (candidate: CandidateState) => CandidateState,
): RunState {
  return { ...state, candidates: changeLast(state.candidates, (candidate) => candidate.hash === hash, change) };
}

/** @param n null = the newest. */
export function changeAccept(
  state: RunState,
  n: number | null,
  change: (accept: AcceptState) => AcceptState,
): RunState {
  return { ...state, accepts: changeLast(state.accepts, (accept) => n === null || accept.n === n, change) };
}
