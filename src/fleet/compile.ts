/** The execution plan and the plan's page, from what the run knows. */
import { formatBranch } from "../contracts/names.ts";
import type { ExecutionPlan } from "../contracts/execution-plan.ts";
import type { ChunkId } from "../contracts/ids.ts";
import { listAgents } from "../contracts/config.ts";
import type { Plan } from "../contracts/plan.ts";
import type { DraftPlan } from "../engine/fact.ts";
import type { RunState } from "../engine/state.ts";
import { type CompileContext, defaultModels } from "../plan/compile/compile-context.ts";
import { compileExecutionPlan } from "../plan/compile/compile-execution-plan.ts";
import { deriveAssignments } from "../plan/compile/derive-assignments.ts";
import { formatPlanHash } from "../plan/plan-hash.ts";
import { renderPlanMarkdown } from "../plan/render/render-plan-markdown.ts";

export { formatExecutionPlan } from "../plan/compile/compile-execution-plan.ts";

/** v0: the planning agents, before the first of them starts. */
export function compileIntake(state: RunState): ExecutionPlan {
  return compileExecutionPlan(null, buildContext(state));
}

export function compileRevision(
  state: RunState,
  plan: Plan,
  draft: DraftPlan,
  agents: Readonly<Record<string, string>>,
): ExecutionPlan {
  return compileExecutionPlan(plan, {
    ...buildContext(state),
    taskBrief: draft.task_brief,
    assignments: agents,
    checkpoints: draft.checkpoints,
  });
}

/** Every chunk's agent: as the planner said, or the one whose paths fit. */
export function assignAgents(state: RunState, draft: DraftPlan): Readonly<Record<string, string>> {
  const assigned = deriveAssignments(draft.chunks, listAgents(state.run.config), draft.assignments);
  return Object.fromEntries([...assigned].flatMap(([chunk, agent]) => (agent === null ? [] : [[chunk, agent.name]])));
}

export function renderPlanPage(
  state: RunState,
  plan: Plan,
  draft: DraftPlan,
  agents: Readonly<Record<string, string>>,
): string {
  return renderPlanMarkdown(plan, {
    ...draft,
    taskBrief: draft.task_brief,
    assignments: agents,
    executionPlan: compileRevision(state, plan, draft, agents),
    hash: formatPlanHash(plan, state.run.intent),
  });
}

function buildContext(state: RunState): CompileContext {
  const { run, runId, intent, config, given } = state.run;
  const prefix = formatBranch({ kind: "chunk", run, chunk: "x" as ChunkId }).slice(0, -1);
  return {
    runId,
    task: intent,
    agents: listAgents(config),
    models: defaultModels,
    chunkBranchPrefix: prefix,
    ...(given === undefined ? {} : { planSource: given.source }),
  };
}
