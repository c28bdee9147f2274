import { PLAN_LENSES, type PlanLens } from "../../contracts/names.ts";
import type { PlanFinding } from "../fact.ts";
import type { DraftState, PlanningState } from "../state.ts";

export interface NumberedFinding extends PlanFinding {
  /** `F1`, `F2`, …: how the planner is told of it and answers it. */
  readonly id: string;
  readonly lens: PlanLens;
}

/** The findings of one round, numbered in a fixed order. */
export function listFindings(draft: DraftState): readonly NumberedFinding[] {
  return PLAN_LENSES.flatMap((lens) =>
    (draft.verdicts[lens]?.findings ?? []).map((finding) => ({ ...finding, lens })),
  ).map((finding, index) => ({ ...finding, id: `F${index + 1}` }));
}

/**
 * What the next draft has to answer: the findings of the newest draft that was reviewed, also when what
 * was written since was not valid.
 */
export function listOpenFindings(planning: PlanningState): readonly NumberedFinding[] {
  const reviewed = planning.drafts.findLast((draft) => draft.outcome === "valid");
  return reviewed === undefined ? [] : listFindings(reviewed);
}
