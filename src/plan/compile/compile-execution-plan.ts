import { isBlank } from "../../contracts/blank.ts";
import { listAcceptanceCriteria } from "../../contracts/criteria.ts";
import type { AgentRole, ExecutionPlan, TaskBrief } from "../../contracts/execution-plan.ts";
import type { Plan } from "../../contracts/plan.ts";
import { synthesizer } from "../rules/check-agents.ts";
import { compileChunkRoles } from "./chunk-roles.ts";
import { type CompileContext, neutralBrief } from "./compile-context.ts";
import { deriveTargetDir } from "./target-dir.ts";

/**
 * The execution plan before planning (v0: `plan` is `null`) or for a revision (vN). Valid by its
 * own checklist, and the same bytes for the same input.
 */
export function compileExecutionPlan(plan: Plan | null, context: CompileContext): ExecutionPlan {
  const brief = cleanBrief(context.taskBrief ?? neutralBrief);
  return {
    run_id: context.runId,
    task: isBlank(context.task) ? "(the issue has no text)" : context.task,
    target_dir: plan === null ? "." : deriveTargetDir(plan.chunks.flatMap((chunk) => chunk.files_touched)),
    task_brief: brief,
    agents: plan === null ? compilePlanningRoles(context) : compileRevisionRoles(plan, context, brief),
  };
}

/** As committed: two blanks of indentation and a final line break. */
export function formatExecutionPlan(plan: ExecutionPlan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

const reviewLenses = {
  feasibility:
    "Judge whether the plan can be built as written: paths that exist or whose folder does, deps in the right order, an approach that fits the code, no critical assumption left unsaid.",
  completeness:
    "Judge whether the plan misses anything: a requirement without a chunk, a chunk without verification, code that depends on what changes and is not dealt with.",
  scope: "Judge whether the plan does what was asked: nothing else, nothing less, nothing more.",
} as const;

function compilePlanningRoles(context: CompileContext): readonly AgentRole[] {
  const planner = "planner";
  const reviewers = Object.entries(reviewLenses).map(([lens, text]) =>
    buildReader(
      `plan-review--${lens}`,
      planner,
      context.models.high,
      `${text} Sees the draft, the intent and the repository, never the other reviewers.`,
    ),
  );
  return [
    buildReader(
      planner,
      null,
      context.models.high,
      context.planSource !== undefined
        ? `Read the plan that stands in the ${context.planSource} and hold it to the planner's gates. Done by the App without a model.`
        : "Turn the intent into a plan.v3 draft with a task brief, or ask what is missing. Sees the intent, existing work that touches it, the registry of agents and the repository, read-only.",
    ),
    ...reviewers,
    buildReader(
      synthesizer,
      reviewers.map((role) => role.role),
      context.models.code,
      "Sum up the draft and the three verdicts for the person who approves. Done by the App without a model.",
    ),
  ];
}

function compileRevisionRoles(plan: Plan, context: CompileContext, brief: TaskBrief): readonly AgentRole[] {
  const finalReviewer = "final-reviewer";
  const prCreator = "pr-creator";
  const chunks = compileChunkRoles(plan, context, brief, [finalReviewer, prCreator, synthesizer]);
  const criteria = listAcceptanceCriteria(plan.acceptance).length;
  return [
    ...chunks.roles,
    buildReader(
      finalReviewer,
      chunks.last,
      context.models.high,
      `Review the whole feature, from the fork of ${plan.feature.integration_branch} to its candidate for ${plan.feature.source_branch}, against ${count(criteria, "acceptance criterion", "acceptance criteria")} of plan revision ${plan.plan_rev} and the intent; look at how the ${count(plan.chunks.length, "chunk works", "chunks work")} together.`,
    ),
    buildReader(
      prCreator,
      finalReviewer,
      context.models.code,
      `Make the pull request from ${plan.feature.integration_branch} into ${plan.feature.source_branch} ready. Done by the App without a model.`,
    ),
    buildReader(
      synthesizer,
      prCreator,
      context.models.code,
      `Report the outcome of the ${count(plan.chunks.length, "chunk", "chunks")} of plan revision ${plan.plan_rev}: landed, skipped, overridden, follow-ups, cost. Done by the App without a model.`,
    ),
  ];
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function buildReader(
  role: string,
  dependsOn: AgentRole["depends_on"],
  model: AgentRole["model"],
  context: string,
): AgentRole {
  return { role, model, skills: [], mcps: [], depends_on: dependsOn, worktree: null, context };
}

/** A planner may list blank lines; the document may not. */
function cleanBrief(brief: TaskBrief): TaskBrief {
  const clean = (texts: readonly string[]): readonly string[] => texts.filter((text) => !isBlank(text));
  return {
    type: brief.type,
    complexity: brief.complexity,
    inferred: brief.inferred,
    explicit_requirements: clean(brief.explicit_requirements),
    implicit_requirements: clean(brief.implicit_requirements),
    ambiguities: clean(brief.ambiguities),
    out_of_scope: clean(brief.out_of_scope),
  };
}
