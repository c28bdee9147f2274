/** Jobs that may have been sent out without our knowing it: what is known of them is what was noted before. */
import type { JobId } from "../../contracts/ids.ts";
import { type JobSubject, parseJobSubject } from "../../contracts/names.ts";
import type { AttemptStart } from "../fact.ts";
import type { PendingEffect, RunState } from "../state.ts";
import { once } from "./once.ts";
import { deriveRevisionChanges } from "./revision-changes.ts";

export interface DoubtfulJob {
  readonly effect: string;
  readonly job: JobId;
  readonly subject: JobSubject;
  readonly pending: PendingEffect;
}

const PREFIX = "job:";

/** Sending a job out. */
export function formatDispatchEffect(job: JobId): string {
  return `${PREFIX}${job}`;
}

export const listDoubtfulJobs = once((pendings: RunState["pending"]): readonly DoubtfulJob[] =>
  Object.entries(pendings).flatMap(([effect, pending]) => {
    if (!effect.startsWith(PREFIX)) return [];
    const job = effect.slice(PREFIX.length) as JobId;
    const subject = parseJobSubject(job);
    return subject === null ? [] : [{ effect, job, subject, pending }];
  }),
);

/**
 * Whether what may have begun is what would be begun now. The base may have moved: an attempt that is under way goes
 * on then, too.
 */
export function isSameOrder(state: RunState, wanted: AttemptStart, began: AttemptStart): boolean {
  if (wanted.agent !== began.agent || wanted.n !== began.n) return false;
  if (wanted.planRev === began.planRev) return true;
  const next = findPlan(state, wanted.planRev);
  return next !== null && deriveRevisionChanges(findPlan(state, began.planRev), next).get(wanted.chunk) === "unchanged";
}

function findPlan(state: RunState, rev: number) {
  return state.revisions.find((revision) => revision.rev === rev)?.plan ?? null;
}
