import type { ChunkId } from "../../contracts/ids.ts";
import type { JobSubject } from "../../contracts/names.ts";
import { findLiveAttempt } from "../derive/chunk-progress.ts";
import { type DoubtfulJob, listDoubtfulJobs } from "../derive/doubtful-jobs.ts";
import { listOpenJobs } from "../derive/jobs.ts";
import { deriveHold } from "../derive/plan-progress.ts";
import { derivePurpose, isOutdated } from "../derive/purpose.ts";
import type { ChunkState, JobState, RunState } from "../state.ts";
import { findRow } from "../table.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** Jobs whose results are not needed any more are stopped; what they still say changes nothing. */
export function decideOutdated(builder: ActionBuilder, state: RunState): void {
  for (const job of listOpenJobs(state)) {
    const why = findReason(state, job);
    if (why === null) continue;
    builder.add(`cancel:${job.job}`, "cosmetic", `Stopping ${job.job}: ${why}`, {
      kind: "CancelJob",
      job: job.job,
      runId: job.runId,
    });
  }
}

/**
 * A job that may have been sent out, and that nobody asks for any more, is looked for all the same: it would go on
 * although people were told that it does not. Decided last, since what is asked for is looked for by who asks.
 */
export function decideDoubtful(builder: ActionBuilder, state: RunState): void {
  for (const doubtful of listDoubtfulJobs(state.pending)) {
    const { effect, job } = doubtful;
    if (builder.has(effect) || isHeld(state, doubtful)) continue;
    builder.add(`cancel:${job}`, "dispatch", `Looking for ${job}, to stop it: nobody asks for it any more`, {
      kind: "CancelJob",
      job,
      runId: null,
    });
  }
}

/** It is asked for again as it was once the run goes on. Attempts are asked for all the while. */
function isHeld(state: RunState, { subject, pending }: DoubtfulJob): boolean {
  if (subject.role === "implement" || state.merged !== null || state.cancelled !== null || state.answerText !== null)
    return false;
  // What the search for a plan waits for is no hold of its own.
  const plans = subject.role === "plan" || subject.role === "plan-review" || subject.role === "baseline";
  const held = plans ? state.paused !== null || state.interference !== null : deriveHold(state) !== null;
  if (!held || pending.purpose !== derivePurpose(state, subject)) return false;
  const entry = findEntry(state, subject);
  return entry === undefined || findLiveAttempt(entry) !== null;
}

function findReason(state: RunState, job: JobState): string | null {
  const { subject } = job;
  const entry = findEntry(state, subject);
  if (entry !== undefined && findLiveAttempt(entry)?.n !== job.attemptOf) return "its attempt is superseded";
  const plans = subject.role === "plan" || subject.role === "plan-review";
  return isOutdated(state, job.job) || (plans && state.planning.done) ? "what it works for has been replaced" : null;
}

function findEntry(state: RunState, subject: JobSubject): ChunkState | undefined {
  const chunk = findChunkOf(subject);
  return chunk === null ? undefined : findRow(state.chunks, chunk);
}

function findChunkOf(subject: JobSubject): ChunkId | null {
  switch (subject.role) {
    case "implement":
    case "review":
      return subject.chunk;
    case "floor":
      return subject.subject.startsWith("chunk-") ? (subject.subject.slice("chunk-".length) as ChunkId) : null;
    default:
      return null;
  }
}
