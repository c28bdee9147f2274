import { formatOneLine } from "../../contracts/markdown.ts";
import { GATE_NAMES, type Violation } from "../../contracts/floor-result.ts";
import type { ReviewResult } from "../../contracts/review-result.ts";
import type { Evidence } from "../../contracts/verdict.ts";
import { cutText } from "../blocks/sentence.ts";
import type { CheckAnnotation } from "./check-text.ts";

/** Enough to see the pattern; the text lists all of them. */
const MOST_ANNOTATIONS = 200;
const TITLE_LENGTH = 200;
const MESSAGE_LENGTH = 4_000;

/** Violations that have a place in the tree; without a line they stand at the file's first. */
export function buildViolationAnnotations(violations: readonly Violation[]): readonly CheckAnnotation[] {
  return violations.slice(0, MOST_ANNOTATIONS).flatMap((violation) => {
    if (violation.path === undefined) return [];
    const line = violation.line ?? 1;
    const change =
      violation.was === undefined && violation.now === undefined
        ? ""
        : `\nWas: ${violation.was ?? "nothing"}\nNow: ${violation.now ?? "nothing"}`;
    const hint = violation.hint === undefined ? "" : `\nHint: ${violation.hint}`;
    return [
      build(
        { path: violation.path, start: line, end: line },
        "failure",
        `${GATE_NAMES[violation.gate]}: ${violation.rule}`,
        `${violation.message}${change}${hint}`,
      ),
    ];
  });
}

/** Criteria that are not met and findings, at the lines the reviewer cites. */
export function buildReviewAnnotations(result: ReviewResult): readonly CheckAnnotation[] {
  if (result.outcome === "void") return [];
  const criteria = result.criteria.flatMap((criterion) =>
    criterion.result === "fail" && criterion.where !== null && criterion.where !== undefined
      ? [
          build(
            criterion.where,
            "failure",
            `Criterion ${criterion.index + 1} is not met`,
            `${criterion.criterion}\nExpected: ${criterion.expected ?? ""}\nFound: ${criterion.found ?? ""}`,
          ),
        ]
      : [],
  );
  const findings = result.findings.map((finding) =>
    build(
      finding.where,
      finding.severity === "blocking" ? "failure" : "warning",
      finding.title,
      `Expected: ${finding.expected}\nFound: ${finding.found}`,
    ),
  );
  return [...criteria, ...findings].slice(0, MOST_ANNOTATIONS);
}

function build(
  where: Pick<Evidence, "path" | "start" | "end">,
  level: CheckAnnotation["level"],
  title: string,
  message: string,
): CheckAnnotation {
  return {
    path: where.path,
    startLine: where.start,
    endLine: where.end,
    level,
    title: cutText(formatOneLine(title), TITLE_LENGTH),
    message: cutText(message.toWellFormed(), MESSAGE_LENGTH),
  };
}
