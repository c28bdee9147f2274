import type { ChunkId } from "../../contracts/ids.ts";
import type { JobSubject } from "../../contracts/names.ts";
import { findLiveAttempt } from "../derive/chunk-progress.ts";
import { listOpenJobs } from "../derive/jobs.ts";
import { isOutdated } from "../derive/purpose.ts";
import type { JobState, RunState } from "../state.ts";
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

function findReason(state: RunState, job: JobState): string | null {
  const { subject } = job;
  const chunk = findChunkOf(subject);
  const entry = chunk === null ? undefined : findRow(state.chunks, chunk);
  if (entry !== undefined && findLiveAttempt(entry)?.n !== job.attemptOf) return "its attempt is superseded";
  const plans = subject.role === "plan" || subject.role === "plan-review";
  return isOutdated(state, job.job) || (plans && state.planning.done) ? "what it works for has been replaced" : null;
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
