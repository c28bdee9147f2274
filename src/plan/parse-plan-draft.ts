import type { z } from "zod";
import { type PlanDraft, planDraftSchema } from "../contracts/plan-draft.ts";
import type { Problem } from "../contracts/problem.ts";
import { checkDraft, type DraftContext } from "./check-draft.ts";
import { type ReadLimits, readJson } from "./json/read-json.ts";
import { locateProblems } from "./json/source-map.ts";
import { formatFound, formatPlace, type PathPart, ProblemList } from "./problem-list.ts";
import { isObject } from "./shape/object-shape.ts";
import { validatePlanParts } from "./validate-plan.ts";

export type PlanDraftParsing =
  | { readonly draft: PlanDraft; readonly problems: readonly [] }
  | { readonly draft: null; readonly problems: readonly Problem[] };

export interface DraftOptions extends ReadLimits {
  /** What the draft's answers are checked against; without it only the form is checked. */
  readonly context?: DraftContext;
}

/**
 * Reads what a planner returned. Chunks and acceptance are judged by the plan's own rules, with the
 * same messages and pointers as in the plan they will become; the rest of a proposal by its form
 * and, given a context, by `checkDraft`.
 */
export function parsePlanDraft(input: string | Uint8Array, options: DraftOptions = {}): PlanDraftParsing {
  const reading = readJson(input, options);
  if (!reading.ok) return { draft: null, problems: reading.problems };
  const parts = validateParts(reading.value);
  const result = planDraftSchema.safeParse(reading.value);
  const envelope = result.success ? [] : result.error.issues.filter((issue) => !isPlanPart(issue.path));
  const problems = [...parts, ...listIssues(envelope, reading.value)];
  if (result.success && result.data.kind === "plan" && options.context !== undefined) {
    problems.push(...checkDraft(result.data, options.context));
  }
  if (problems.length > 0) return { draft: null, problems: locateProblems(reading.text, problems) };
  if (!result.success)
    throw new TypeError("the draft schema refuses chunks that the plan schema accepts", { cause: result.error });
  return { draft: result.data, problems: [] };
}

function validateParts(value: unknown): readonly Problem[] {
  return isObject(value) && value["kind"] === "plan" ? validatePlanParts(value) : [];
}

function isPlanPart(path: readonly PropertyKey[]): boolean {
  return path[0] === "chunks" || path[0] === "acceptance";
}

function listIssues(issues: readonly z.core.$ZodIssue[], document: unknown): readonly Problem[] {
  const problems = new ProblemList();
  for (const issue of issues) {
    const path = issue.path.map((part): PathPart => (typeof part === "number" ? part : String(part)));
    const message = `${formatPlace(path)}: ${issue.message}`;
    const found = formatFound(findAt(document, path));
    problems.add(path, "draft", { message, found, allowed: describeAllowed(issue) });
  }
  return problems.list();
}

function describeAllowed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `a value of type ${issue.expected}`;
    case "invalid_value":
      return issue.values.join(", ");
    case "invalid_union":
      return "options" in issue ? (issue.options ?? []).join(", ") : issue.message;
    case "too_small":
      return `at least ${issue.minimum} ${unitOf(issue.origin)}`;
    case "too_big":
      return `at most ${issue.maximum} ${unitOf(issue.origin)}`;
    case "invalid_key":
      return issue.issues.map(describeAllowed).join(", ");
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  return origin === "string" ? "characters" : "items";
}

function findAt(document: unknown, path: readonly PathPart[]): unknown {
  let value = document;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PathPart, unknown>)[part];
  }
  return value;
}
