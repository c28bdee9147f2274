import type { Chunk, Plan } from "../../../src/contracts/plan.ts";
import type { Problem } from "../../../src/contracts/problem.ts";
import type { LintOptions } from "../../../src/plan/lint/lint-context.ts";
import { lintPlan } from "../../../src/plan/lint/lint-plan.ts";
import { validatePlan } from "../../../src/plan/validate-plan.ts";
import { buildChunk, buildPlanOf } from "../build-valid-plan.ts";

/** The warnings of a plan, which is valid or the test is wrong. */
export function lint(plan: Plan, options?: LintOptions): readonly Problem[] {
  const [problem] = validatePlan(plan);
  if (problem !== undefined) throw new TypeError(`the test's plan is not valid: ${problem.message}`);
  return lintPlan(plan, options);
}

/** Rule and pointer of each warning. */
export function list(plan: Plan, options?: LintOptions): string[] {
  return lint(plan, options).map(({ rule, pointer }) => `${rule} ${pointer}`);
}

export function withChunk(overrides: Partial<Chunk>): Plan {
  return buildPlanOf(buildChunk("store", overrides));
}
