import type { ExecutionPlan } from "../../contracts/execution-plan.ts";
import type { Plan } from "../../contracts/plan.ts";
import type { Problem } from "../../contracts/problem.ts";
import { defaultMaxBytes, readJson } from "../../plan/json/read-json.ts";
import { locateProblems } from "../../plan/json/source-map.ts";
import { lintExecutionPlan } from "../../plan/lint/lint-execution-plan.ts";
import { lintPlan, promoteWarnings } from "../../plan/lint/lint-plan.ts";
import { formatFound } from "../../plan/problem-list.ts";
import { isObject } from "../../plan/shape/object-shape.ts";
import { validateExecutionPlan } from "../../plan/validate-execution-plan.ts";
import { validatePlan } from "../../plan/validate-plan.ts";
import type { Terminal } from "../terminal.ts";
import type { DocumentKind, Examined } from "./document.ts";
import { findProtection } from "./find-protection.ts";
import { readInput } from "./read-input.ts";

export interface ExamineOptions {
  readonly kind?: DocumentKind;
  readonly maxBytes?: number;
  /** Lint rules whose warnings are errors. */
  readonly deny?: readonly string[];
}

/** Reads a file and finds out everything that is wrong with it. */
export async function examine(terminal: Terminal, file: string, options: ExamineOptions): Promise<Examined> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  const input = await readInput(terminal, file, maxBytes);
  if (!input.ok)
    return refuse(file, "unreadable", { message: input.reason, found: "no text", allowed: "a file, or `-`" });
  const reading = readJson(input.bytes, { maxBytes });
  const kind = options.kind ?? null;
  if (!reading.ok) return { state: "invalid", file, text: reading.text, kind, errors: reading.problems, warnings: [] };
  const { text, value } = reading;
  switch (kind ?? detectKind(value)) {
    case "plan": {
      const errors = locateProblems(text, validatePlan(value));
      if (errors.length > 0) return { state: "invalid", file, text, kind: "plan", errors, warnings: [] };
      const plan = value as Plan;
      const judged = judge(text, lintPlan(plan, { findProtection }), options);
      if (judged.errors.length > 0) return { state: "invalid", file, text, kind: "plan", ...judged };
      return { state: "plan", file, text, plan, warnings: judged.warnings };
    }
    case "execution-plan": {
      const errors = locateProblems(text, validateExecutionPlan(value));
      if (errors.length > 0) return { state: "invalid", file, text, kind: "execution-plan", errors, warnings: [] };
      const executionPlan = value as ExecutionPlan;
      const judged = judge(text, lintExecutionPlan(executionPlan), options);
      if (judged.errors.length > 0) return { state: "invalid", file, text, kind: "execution-plan", ...judged };
      return { state: "execution-plan", file, text, executionPlan, warnings: judged.warnings };
    }
    case null:
      return refuse(file, "unknown-kind", {
        message: 'it is neither a plan ("schema_version") nor an execution plan ("run_id"); name it with --kind',
        found: formatFound(value),
        allowed: 'an object with "schema_version" or "run_id"',
      });
  }
}

/** A plan has `schema_version`, an execution plan `run_id`. */
function detectKind(value: unknown): DocumentKind | null {
  if (!isObject(value)) return null;
  if (Object.hasOwn(value, "schema_version")) return "plan";
  return Object.hasOwn(value, "run_id") ? "execution-plan" : null;
}

function refuse(file: string, rule: string, details: Omit<Problem, "pointer" | "rule">): Examined {
  return { state: "unexaminable", file, errors: [{ pointer: "", rule, ...details }] };
}

function judge(text: string, found: readonly Problem[], options: ExamineOptions) {
  const { errors, warnings } = promoteWarnings(found, options.deny ?? []);
  return { errors: locateProblems(text, errors), warnings: locateProblems(text, warnings) };
}
