import { diffPlans } from "../../plan/diff/diff-plans.ts";
import { verifyRevision } from "../../plan/diff/verify-revision.ts";
import { formatPlanDiff } from "../../plan/render/format-plan-diff.ts";
import { renderPlanDiff } from "../../plan/render/render-plan-diff.ts";
import { locateProblems } from "../../plan/json/source-map.ts";
import type { Terminal } from "../terminal.ts";
import { type Examined, findExitCode } from "./document.ts";
import { examine, type ExamineOptions } from "./examine.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { formatErrors, formatReportJson } from "./report.ts";

export interface DiffOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly landed?: readonly string[];
}

/** `plan diff OLD NEW`. A revision that may not follow the old one is shown, refused and exits 1. */
export async function runDiff(
  terminal: Terminal,
  oldFile: string,
  nextFile: string,
  options: ExamineOptions & DiffOptions,
): Promise<number> {
  const [old, next] = [await examinePlan(terminal, oldFile, options), await examinePlan(terminal, nextFile, options)];
  if (old.state !== "plan" || next.state !== "plan") {
    for (const examined of [old, next]) {
      if (examined.state === "plan") continue;
      if (options.json === true) terminal.write(`${formatReportJson(examined)}\n`);
      else terminal.writeError(`${formatErrors(terminal, examined)}\n`);
    }
    return Math.max(findExitCode(old), findExitCode(next));
  }
  const landed = options.landed ?? [];
  const diff = diffPlans(old.plan, next.plan, landed);
  const errors = locateProblems(next.text, verifyRevision(old.plan, next.plan, landed));
  if (options.json === true)
    terminal.write(`${JSON.stringify({ files: [oldFile, nextFile], valid: errors.length === 0, errors, diff })}\n`);
  else {
    terminal.write(options.markdown === true ? renderPlanDiff(diff) : formatPlanDiff(diff));
    for (const error of errors)
      terminal.writeError(
        `${formatDiagnostic(terminal, { file: nextFile, text: next.text, problem: error, severity: "error" })}\n`,
      );
  }
  return errors.length > 0 ? 1 : 0;
}

async function examinePlan(terminal: Terminal, file: string, options: ExamineOptions): Promise<Examined> {
  const examined = await examine(terminal, file, options);
  if (examined.state !== "execution-plan") return examined;
  const message = "only plans have revisions to compare; this is an execution plan";
  const details = { message, found: "an execution plan", allowed: "a plan" };
  return { state: "unexaminable", file, errors: [{ pointer: "", rule: "wrong-kind", ...details }] };
}
