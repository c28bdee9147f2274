import type { JobResult } from "../../contracts/job.ts";

export type DoneResult = Extract<JobResult, { outcome: "done" }>;

/** A result that nothing is made of: `unusable` is the fault of what ran in the job, `external` nobody's. */
export interface Untaken {
  readonly outcome: "unusable" | "lost";
  readonly cause: string;
}

/** A job's payload is of the wrong kind, or belongs to nothing any more. */
export const NOT_EXPECTED: Untaken = {
  outcome: "unusable",
  cause: "its result is not of the kind its role gives",
};

/**
 * Nobody's try; the agent has worked, so what it may have used stays booked. GitHub cuts the list of a tree short beyond 100,000 entries or 7 MB (docs.github.com/en/rest/git/trees).
 */
export const TREE_UNLISTED: Untaken = {
  outcome: "lost",
  cause:
    "GitHub does not list the whole tree of this repository in one answer (at most 100,000 files and folders, or 7 MB), so nothing can be checked against it",
};
