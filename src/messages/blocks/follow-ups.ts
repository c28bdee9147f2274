import { escapeMarkdownText } from "../../contracts/markdown.ts";
import type { ReviewResult } from "../../contracts/review-result.ts";
import type { RunState } from "../../engine/state.ts";
import type { Links } from "../links.ts";
import { formatEvidenceLink } from "./evidence-link.ts";
import { cutText, formatSentence } from "./sentence.ts";

const MOST_FOLLOW_UPS = 60;

/** What reviewers noticed and let pass: warnings on what has landed. */
export function formatFollowUps(state: RunState, links: Links): string {
  const lines: string[] = [];
  for (const chunk of state.chunks.rows) {
    const attempt = chunk.attempts.findLast((entry) => entry.stage === "landed");
    if (attempt !== undefined && attempt.review !== null && attempt.head !== null)
      lines.push(...listWarnings(attempt.review.result, links, attempt.head, `\`${chunk.id}\`: `));
  }
  const accept = state.accepts.findLast((entry) => entry.accepted !== null);
  if (accept !== undefined && accept.review !== null)
    lines.push(...listWarnings(accept.review.result, links, accept.commit, ""));
  const shown = lines.slice(0, MOST_FOLLOW_UPS);
  if (lines.length > shown.length) shown.push(`- and ${lines.length - shown.length} more, in the reviews`);
  return shown.join("\n");
}

/** Findings that do not block, with their places, and notes of our own about the verdict. */
export function listWarnings(result: ReviewResult, links: Links, commit: string, prefix: string): readonly string[] {
  if (result.outcome === "void") return [];
  return [
    ...result.findings
      .filter((finding) => finding.severity === "warning")
      .map(
        (finding) =>
          `- ${prefix}${escapeMarkdownText(cutText(finding.title, 300))} (${formatEvidenceLink(finding.where, links, commit)})`,
      ),
    ...result.warnings.map((warning) => `- ${prefix}${formatSentence(cutText(warning, 300))}`),
  ];
}
