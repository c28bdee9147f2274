import { escapeMarkdownText } from "../../contracts/markdown.ts";
import type { FindingResult, CriterionResult, ReviewResult } from "../../contracts/review-result.ts";
import type { Links } from "../links.ts";
import { formatEvidenceLink } from "./evidence-link.ts";
import { cutText, formatSentence } from "./sentence.ts";

/** What a reviewer found wanting: criteria that are not met and blocking findings, with their places. */
export function formatReviewFailures(result: ReviewResult | null, links: Links, commit: string): string {
  if (result === null) return "";
  if (result.outcome === "void") return result.reasons.map((reason) => `- ${formatSentence(reason)}`).join("\n");
  return [
    ...result.criteria
      .filter((criterion) => criterion.result === "fail")
      .map((criterion) => formatCriterion(criterion, links, commit)),
    ...result.findings
      .filter((finding) => finding.severity === "blocking")
      .map((finding) => formatFinding(finding, links, commit)),
  ].join("\n");
}

function formatCriterion(criterion: CriterionResult, links: Links, commit: string): string {
  const where = criterion.where ?? null;
  const place = where === null ? "" : ` at ${formatEvidenceLink(where, links, commit)}`;
  return `- **Criterion ${criterion.index + 1} is not met**${place}: ${formatSentence(cutText(criterion.criterion, 300))}${formatExpectation(criterion.expected === criterion.criterion ? undefined : criterion.expected, criterion.found)}`;
}

function formatFinding(finding: FindingResult, links: Links, commit: string): string {
  return `- **${escapeMarkdownText(cutText(finding.title, 300))}** at ${formatEvidenceLink(finding.where, links, commit)}${formatExpectation(finding.expected, finding.found)}`;
}

function formatExpectation(expected: string | undefined, found: string | undefined): string {
  const line = (name: string, text: string | undefined): string =>
    text === undefined || text.trim() === "" ? "" : `\n  - ${name}: ${formatSentence(cutText(text, 1500))}`;
  return `${line("Expected", expected)}${line("Found", found)}`;
}
