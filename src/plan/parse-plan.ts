import type { Plan } from "../contracts/plan.ts";
import type { Problem } from "../contracts/problem.ts";
import { type ReadLimits, readJson } from "./json/read-json.ts";
import { locateProblems } from "./json/source-map.ts";
import { validatePlan } from "./validate-plan.ts";

export type PlanParsing =
  | { readonly plan: Plan; readonly problems: readonly [] }
  | { readonly plan: null; readonly problems: readonly Problem[] };

/**
 * Reads a plan from its text or UTF-8 bytes. Every problem has its place in the text, except those
 * that concern the document as a whole.
 */
export function parsePlan(input: string | Uint8Array, limits: ReadLimits = {}): PlanParsing {
  const reading = readJson(input, limits);
  if (!reading.ok) return { plan: null, problems: reading.problems };
  const problems = validatePlan(reading.value);
  if (problems.length === 0) return { plan: reading.value as Plan, problems: [] };
  return { plan: null, problems: locateProblems(reading.text, problems) };
}
