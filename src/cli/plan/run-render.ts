import { renderExecutionPlan } from "../../plan/render/render-execution-plan.ts";
import { renderPlanMarkdown } from "../../plan/render/render-plan-markdown.ts";
import type { PlanNotes } from "../../plan/render/plan-notes.ts";
import type { Terminal } from "../terminal.ts";
import type { ExamineOptions } from "./examine.ts";
import { forEachDocument } from "./for-each-document.ts";

/** `plan render`: `plan.md`, or the table of an execution plan. */
export async function runRender(
  terminal: Terminal,
  files: readonly string[],
  options: ExamineOptions & { readonly json?: boolean; readonly draft?: string },
): Promise<number> {
  let notes: PlanNotes = {};
  if (options.draft !== undefined) {
    const { readDraft, SideFileError } = await import("./read-draft.ts");
    try {
      const draft = await readDraft(terminal, options.draft);
      notes = { ...draft, taskBrief: draft.task_brief };
    } catch (error) {
      if (!(error instanceof SideFileError)) throw error;
      terminal.writeError(`${error.message}\n`);
      return error.exitCode;
    }
  }
  return forEachDocument(terminal, files, options, (document) => {
    const markdown =
      document.state === "plan"
        ? renderPlanMarkdown(document.plan, { ...notes, warnings: document.warnings })
        : `${renderExecutionPlan(document.executionPlan)}\n`;
    return options.json === true
      ? `${JSON.stringify({ file: document.file, kind: document.state, markdown })}\n`
      : markdown;
  });
}
