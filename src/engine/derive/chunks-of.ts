import type { ChunkId } from "../../contracts/ids.ts";
import type { JobSubject } from "../../contracts/names.ts";
import type { ActionWork } from "../action.ts";
import type { RunState } from "../state.ts";
import { findRow } from "../table.ts";

const CHUNK = "chunk-";
const CANDIDATE = "candidate-";

/** The chunks a job works for; none for one of the run as a whole. */
export function listChunksOfJob(subject: JobSubject, state: RunState): readonly ChunkId[] {
  switch (subject.role) {
    case "implement":
    case "review":
      return [subject.chunk];
    case "floor":
      if (subject.subject.startsWith(CHUNK)) return [subject.subject.slice(CHUNK.length) as ChunkId];
      if (!subject.subject.startsWith(CANDIDATE)) return [];
      return findRow(state.candidates, subject.subject.slice(CANDIDATE.length))?.chunks ?? [];
    case "baseline":
    case "plan":
    case "plan-review":
    case "final-review":
      return [];
  }
}

/** The chunks that come a step further by it; none where it only shows something. */
export function listChunksOf(work: ActionWork, state: RunState): readonly ChunkId[] {
  switch (work.kind) {
    case "DispatchJob":
      return listChunksOfJob(work.dispatch.subject, state);
    case "CommitChangeSet":
    case "OpenChunkPull":
    case "PostReview":
    case "PrepareTake":
      return [work.chunk];
    case "CreateCandidate":
    case "LandChunks":
      return work.chunks;
    default:
      return [];
  }
}
