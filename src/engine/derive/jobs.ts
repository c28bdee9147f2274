import { formatJobId, type JobSubject } from "../../contracts/names.ts";
import type { JobId } from "../../contracts/ids.ts";
import type { ChunkState, JobState, RunState } from "../state.ts";
import { once } from "./once.ts";
import { findRow } from "../table.ts";
import { derivePurpose } from "./purpose.ts";

/** What is counted together: all dispatches for the same subject. */
export function countKey(subject: DistributiveOmit<JobSubject, "n"> | JobSubject): string {
  switch (subject.role) {
    case "baseline":
    case "plan":
    case "final-review":
      return subject.role;
    case "plan-review":
      return `${subject.role}:${subject.lens}`;
    case "implement":
    case "review":
      return `${subject.role}:${subject.chunk}`;
    case "floor":
      return `${subject.role}:${subject.subject}`;
  }
}

type DistributiveOmit<Type, Key extends string> = Type extends unknown ? Omit<Type, Key> : never;
export type NewSubject = DistributiveOmit<JobSubject, "n">;

/** The subject with its next number, and the job's id. */
export function deriveNextJob(
  state: RunState,
  subject: NewSubject,
): { readonly job: JobId; readonly subject: JobSubject } {
  const numbered = { ...subject, n: (findRow(state.counts, countKey(subject)) ?? state.countBase) + 1 } as JobSubject;
  return { job: formatJobId(state.run.run, numbered), subject: numbered };
}

export function listOpenJobs(state: RunState): readonly JobState[] {
  return filterOpen(state.jobs);
}

const filterOpen = once((jobs: RunState["jobs"]) => jobs.rows.filter((job) => job.status === "open"));

/** The open job of a subject that works for what is needed now, or null. */
export function findOpenJob(state: RunState, subject: NewSubject): JobState | null {
  const key = countKey(subject);
  const newest = findRow(state.jobs, formatJobId(state.run.run, { ...subject, n: findRow(state.counts, key) ?? 0 }));
  return newest?.status === "open" && newest.purpose === derivePurpose(state, subject) ? newest : null;
}

const FIRST_PAUSE_MS = 30_000;
const LAST_PAUSE_MS = 30 * 60_000;

/**
 * When a subject's next job may go out: at once, or after a pause when the last ones were lost or failed
 * for something outside, since an outage is not over within a second. Where the job knew what ends its failure,
 * that is waited for instead: an outage by all agents it concerns, a person by their command.
 */
export function deriveRetryAt(state: RunState, subject: JobSubject): number {
  let failed = 0;
  let endedAt = 0;
  for (let n = subject.n - 1; n >= 1; n -= 1) {
    const job = findRow(state.jobs, formatJobId(state.run.run, { ...subject, n }));
    if (job === undefined || (job.outcome !== "lost" && job.outcome !== "external")) break;
    if (job.remedy?.kind === "wait") continue;
    if (job.remedy?.kind === "person") break;
    if (failed === 0) endedAt = job.endedAt ?? 0;
    failed += 1;
  }
  return failed === 0 ? 0 : endedAt + deriveOutagePause(failed);
}

/** @param failed how often in a row, from 1. @returns milliseconds. */
export function deriveOutagePause(failed: number): number {
  return Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** Math.min(failed - 1, 10));
}

/** Attempts are never renumbered: after the loss of the store they go on above all that nobody remembers. */
export function deriveNextAttempt(state: RunState, chunk: ChunkState): number {
  return (chunk.attempts.at(-1)?.n ?? state.countBase) + 1;
}
