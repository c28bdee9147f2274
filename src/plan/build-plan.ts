import type { Baseline, Plan, PlanFeature } from "../contracts/plan.ts";

/** What the App writes itself; a planner's word on it is never taken. */
export interface OwnedFields {
  /** From 1. */
  readonly planRev: number;
  readonly intentRev: number;
  readonly feature: PlanFeature;
  readonly baseline: Baseline;
}

/** The revision that a draft's chunks and acceptance become. */
export function buildPlan(parts: Pick<Plan, "chunks" | "acceptance">, owned: OwnedFields): Plan {
  return {
    schema_version: 3,
    plan_rev: owned.planRev,
    intent_rev: owned.intentRev,
    feature: owned.feature,
    baseline: owned.baseline,
    acceptance: parts.acceptance,
    chunks: parts.chunks,
  };
}

/** A revision's bytes as committed: two blanks of indentation and a final line break. */
export function formatPlan(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}
