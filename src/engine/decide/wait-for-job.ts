import type { JobState, RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** A run may be queued this long on top of the time it may take. */
const QUEUE_MINUTES = 15;

export function deriveJobDeadline(state: RunState, job: JobState): number {
  return job.dispatchedAt + (state.run.config.limits.job_minutes + QUEUE_MINUTES) * 60_000;
}

export function waitForJob(builder: ActionBuilder, state: RunState, job: JobState): void {
  builder.wait({
    subject: job.job,
    what: `workflow run of ${job.subject.role}`,
    until: deriveJobDeadline(state, job),
    unblock: "the run ends, or its deadline passes and it counts as lost",
  });
}
