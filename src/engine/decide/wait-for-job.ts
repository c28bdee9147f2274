import { listChunksOfJob } from "../derive/chunks-of.ts";
import type { JobState, RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** A run may be queued this long on top of the time it may take. */
const QUEUE_MINUTES = 15;

export function deriveJobDeadline(state: RunState, job: JobState): number {
  return job.dispatchedAt + (state.run.config.limits.job_minutes + QUEUE_MINUTES) * 60_000;
}

export function waitForJob(builder: ActionBuilder, state: RunState, job: JobState): void {
  const chunks = listChunksOfJob(job.subject, state);
  builder.wait({
    subject: job.job,
    ...(chunks.length === 0 ? {} : { chunks }),
    what: `workflow run of ${job.subject.role}`,
    until: deriveJobDeadline(state, job),
    unblock: "the run ends, or its deadline passes and it counts as lost",
  });
}
