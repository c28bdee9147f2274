import type { Plan } from "../../contracts/plan.ts";
import type { Problem } from "../../contracts/problem.ts";
import { capProblems, ProblemList } from "../problem-list.ts";
import { buildLintContext, type LintOptions } from "./lint-context.ts";
import { lintCriteria } from "./lint-criteria.ts";
import { lintNeedlessDeps } from "./lint-needless-deps.ts";
import { lintOverlap, lintRedundantDeps } from "./lint-order.ts";
import { lintBranches, lintScopes } from "./lint-scope.ts";
import { lintWiring } from "./lint-wiring.ts";

/** What a valid plan could do better; all of it, since some rules may be errors to the reader. */
export function lintPlan(plan: Plan, options: LintOptions = {}): readonly Problem[] {
  const context = buildLintContext(plan, options);
  const problems = new ProblemList(Number.POSITIVE_INFINITY);
  lintBranches(context, problems);
  lintCriteria(context, problems);
  lintScopes(context, problems);
  lintOverlap(context, problems);
  lintRedundantDeps(context, problems);
  lintNeedlessDeps(context, problems);
  lintWiring(context, problems);
  return problems.list();
}

export interface JudgedWarnings {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Makes errors of the warnings whose rule is listed (`all` lists every one); each list shows 100 and counts the rest. */
export function promoteWarnings(warnings: readonly Problem[], rules: readonly string[]): JudgedWarnings {
  const isError = (problem: Problem): boolean => rules.includes("all") || rules.includes(problem.rule);
  return {
    errors: capProblems(warnings.filter(isError)),
    warnings: capProblems(warnings.filter((problem) => !isError(problem))),
  };
}
