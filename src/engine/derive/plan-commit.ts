import type { DraftPlan } from "../fact.ts";
import type { PlanRevision, RunState } from "../state.ts";

/** The revision that is committed next. */
export interface PlanCommit {
  readonly rev: number;
  readonly draft: DraftPlan;
  /** The revision that gets a new baseline and nothing else; null for a new plan. */
  readonly renewed: PlanRevision | null;
}

/**
 * What the next revision is made of, as far as it is known: whether it may be committed is `decidePlan`'s business.
 * A renewed baseline is committed with the newest plan as it is, also one that still waits for approval; a new plan
 * with its draft.
 */
export function derivePlanCommit(state: RunState): PlanCommit | null {
  const renewed = state.baseline.renewing && state.planning.done ? (state.revisions.at(-1) ?? null) : null;
  const draft = renewed?.draft ?? state.planning.drafts.at(-1)?.draft ?? null;
  return draft === null || state.baseline.bound === null ? null : { rev: state.revisions.length + 1, draft, renewed };
}
