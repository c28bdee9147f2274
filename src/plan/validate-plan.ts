import { planSchema } from "../contracts/plan-schema.ts";
import type { Problem } from "../contracts/problem.ts";
import { buildGraph } from "./graph/build-graph.ts";
import { ProblemList } from "./problem-list.ts";
import { checkAcceptance } from "./rules/check-acceptance.ts";
import { checkAcyclic, checkDepsExist, listNodes } from "./rules/check-deps.ts";
import { checkFeature } from "./rules/check-feature.ts";
import { checkIds } from "./rules/check-ids.ts";
import { checkFiles, checkFolders } from "./rules/check-paths.ts";
import { checkVersion } from "./rules/check-version.ts";
import type { SoundPlan } from "./rules/sound-plan.ts";
import { compileShape } from "./shape/compile-shape.ts";

const planShape = compileShape(planSchema);

/**
 * Everything that keeps a value (as `JSON.parse` yields them) from being a plan; empty when it is
 * one. A version problem stands alone; otherwise all problems of shape, and all problems of
 * meaning in the parts whose shape is sound, at most 100 and a count of the rest.
 */
export function validatePlan(value: unknown): readonly Problem[] {
  const problems = new ProblemList();
  checkVersion(value, problems);
  if (!problems.isEmpty) return problems.list();
  planShape.check(value, [], problems);
  checkMeaning((problems.isEmpty ? value : (planShape.prune(value) ?? {})) as SoundPlan, problems);
  return problems.list();
}

const partsShape = compileShape({
  type: "object",
  additionalProperties: false,
  required: ["acceptance", "chunks"],
  properties: { acceptance: planSchema.properties.acceptance, chunks: planSchema.properties.chunks },
  $defs: planSchema.$defs,
});

/** The same for the two parts that a planner is trusted with; other keys are not looked at. */
export function validatePlanParts(value: Readonly<Record<string, unknown>>): readonly Problem[] {
  const problems = new ProblemList();
  const parts = Object.fromEntries(Object.entries(value).filter(([key]) => key === "acceptance" || key === "chunks"));
  partsShape.check(parts, [], problems);
  checkMeaning((problems.isEmpty ? parts : partsShape.prune(parts)) as SoundPlan, problems);
  return problems.list();
}

function checkMeaning(plan: SoundPlan, problems: ProblemList): void {
  if (plan.feature !== undefined) checkFeature(plan.feature, problems);
  if (plan.acceptance !== undefined) checkAcceptance(plan.acceptance, problems);
  checkFolders(plan, problems);
  const { chunks } = plan;
  if (chunks === undefined) return;
  const ids = chunks.map((chunk) => chunk?.id);
  const graph = buildGraph(listNodes(chunks));
  checkIds(ids, { list: "chunks", key: "id", noun: "chunk id", maxLength: 100 }, problems);
  checkDepsExist(chunks, graph.indexOf, problems);
  checkAcyclic(graph, "chunks", "deps", problems);
  checkFiles(chunks, problems);
}
