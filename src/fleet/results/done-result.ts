import type { JobResult } from "../../contracts/job.ts";

export type DoneResult = Extract<JobResult, { outcome: "done" }>;

/** A job's payload is of the wrong kind, or belongs to nothing any more. */
export const NOT_EXPECTED = "its result is not of the kind its role gives";
