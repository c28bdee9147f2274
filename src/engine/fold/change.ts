/** The same state with one part replaced. */
import type { ChunkId, JobId, Sha } from "../../contracts/ids.ts";
import type { AcceptState, AttemptState, CandidateState, ChunkState, RunState } from "../state.ts";
import { changeLast } from "./omit.ts";
import { findRow, putRow } from "../table.ts";

export function changeChunk(state: RunState, id: ChunkId, change: (chunk: ChunkState) => ChunkState): RunState {
  const chunk = findRow(state.chunks, id);
  if (chunk === undefined) return state;
  return { ...state, chunks: putRow(state.chunks, id, change(chunk)) };
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
  const candidate = findRow(state.candidates, hash);
  return candidate === undefined ? state : { ...state, candidates: putRow(state.candidates, hash, change(candidate)) };
}

/** @param n null = the newest. */
export function changeAccept(
  state: RunState,
  n: number | null,
  change: (accept: AcceptState) => AcceptState,
): RunState {
  return { ...state, accepts: changeLast(state.accepts, (accept) => n === null || accept.n === n, change) };
}

/** Within the time a read may lag behind, a branch hardly moves more often. */
const FORMER_TIPS = 8;

/** The integration branch is at this commit now. */
export function moveTip(state: RunState, tip: Sha, at: number): RunState["integration"] {
  if (state.integration === null) return null;
  const { tip: sha, left } = state.integration;
  const former = sha === tip ? left : [...left, { sha, at }].slice(-FORMER_TIPS);
  return { ...state.integration, tip, movedAt: at, left: former };
}
