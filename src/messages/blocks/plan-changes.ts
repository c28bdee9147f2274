import type { PlanRevision, RunState } from "../../engine/state.ts";
import { diffPlans } from "../../plan/diff/diff-plans.ts";
import { renderPlanDiff } from "../../plan/render/render-plan-diff.ts";

/** What a revision changes against the one that was approved (or, before any approval, the one before it). */
export function formatPlanChanges(state: RunState, revision: PlanRevision): string {
  const former =
    state.revisions.findLast((entry) => entry.rev < revision.rev && entry.rev === state.approved?.rev) ??
    state.revisions.findLast((entry) => entry.rev < revision.rev);
  if (former === undefined) return "";
  const landed = state.chunks.rows.filter((chunk) => chunk.landed !== null).map((chunk) => chunk.id);
  // Its headings are those of a page of its own; here they stand below ours. Fenced lines are indented there.
  return renderPlanDiff(diffPlans(former.plan, revision.plan, landed)).replaceAll(/^(#{1,2}) /gmu, "##$1 ");
}
