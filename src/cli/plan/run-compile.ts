import { isRunId } from "../../contracts/ids.ts";
import { parseBranch } from "../../contracts/names.ts";
import type { Plan } from "../../contracts/plan.ts";
import type { PlanProposal } from "../../contracts/plan-draft.ts";
import { type CompileContext, defaultModels, type RegisteredAgent } from "../../plan/compile/compile-context.ts";
import { compileExecutionPlan, formatExecutionPlan } from "../../plan/compile/compile-execution-plan.ts";
import { renderExecutionPlan } from "../../plan/render/render-execution-plan.ts";
import type { Terminal } from "../terminal.ts";
import type { ExamineOptions } from "./examine.ts";
import { forEachDocument } from "./for-each-document.ts";
import { readAgents } from "./read-agents.ts";
import { readDraft, SideFileError } from "./read-draft.ts";

export interface CompileOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly runId: string;
  readonly task?: string;
  readonly config?: string;
  readonly draft?: string;
}

/** `plan compile`: the execution plan a revision gets; the same input gives the same bytes. */
export async function runCompile(
  terminal: Terminal,
  files: readonly string[],
  options: ExamineOptions & CompileOptions,
): Promise<number> {
  if (!isRunId(options.runId)) {
    terminal.writeError(`--run-id ${JSON.stringify(options.runId)} is not of the form YYYY-MM-DD-NNN\n`);
    return 2;
  }
  let agents: readonly RegisteredAgent[];
  let draft: PlanProposal | null;
  try {
    agents = await readAgents(terminal, options.config ?? null);
    draft = options.draft === undefined ? null : await readDraft(terminal, options.draft);
  } catch (error) {
    if (!(error instanceof SideFileError)) throw error;
    terminal.writeError(`${error.message}\n`);
    return error.exitCode;
  }
  const planOptions = { ...options, kind: "plan" } as const;
  return forEachDocument(terminal, files, planOptions, (document) => {
    if (document.state !== "plan") throw new TypeError("examined as a plan, found to be something else");
    const compiled = compileExecutionPlan(document.plan, buildContext(document.plan, options, agents, draft));
    if (options.markdown === true) return `${renderExecutionPlan(compiled)}\n`;
    return options.json === true ? `${JSON.stringify(compiled)}\n` : formatExecutionPlan(compiled);
  });
}

function buildContext(
  plan: Plan,
  options: CompileOptions,
  agents: readonly RegisteredAgent[],
  draft: PlanProposal | null,
): CompileContext {
  const { slug, integration_branch: integration } = plan.feature;
  const run = parseBranch(integration)?.run ?? slug.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return {
    runId: options.runId,
    task: options.task ?? `The feature ${slug}`,
    agents,
    models: defaultModels,
    chunkBranchPrefix: `taskfleet/${run}/chunk/`,
    ...(draft === null
      ? {}
      : { taskBrief: draft.task_brief, assignments: draft.assignments, checkpoints: draft.checkpoints }),
  };
}
