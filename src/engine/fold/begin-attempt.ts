import type { AttemptState } from "../state.ts";

type Beginning = Pick<
  AttemptState,
  "n" | "planRev" | "agent" | "model" | "tier" | "base" | "stage" | "job" | "startedAt"
>;

/** An attempt of which nothing is known yet but who is at it, and from where. */
export function beginAttempt(beginning: Beginning): AttemptState {
  return {
    ...beginning,
    cause: "",
    document: null,
    files: [],
    problems: [],
    summary: "",
    head: null,
    tree: null,
    floor: null,
    review: null,
    opinions: [],
    ledger: [],
    context: null,
    voidReviews: 0,
    lostJobs: 0,
    judging: 0,
    integration: [],
    conflicts: [],
  };
}
