import { escapeMarkdownText } from "../contracts/markdown.ts";
import type { ReviewResult } from "../contracts/review-result.ts";
import type { Evidence } from "../contracts/verdict.ts";
import { joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { cutMarkdown, INLINE_LIMIT } from "./cut-markdown.ts";

/** A comment on lines of the new file that the diff shows. */
export interface InlineComment {
  readonly path: string;
  /** The last line, 1-based. */
  readonly line: number;
  /** Present when there are several lines. */
  readonly startLine?: number;
  readonly body: string;
}

/** More than these nobody reads one by one; all of them are in the review's body. */
const MOST_COMMENTS = 30;

/** Criteria that are not met and blocking findings, where the diff shows the cited lines. */
export function buildInlineComments(
  result: ReviewResult,
  diffLines: ReadonlyMap<string, ReadonlySet<number>>,
): readonly InlineComment[] {
  if (result.outcome === "void") return [];
  const comments: InlineComment[] = [];
  const add = (where: Evidence, body: string): void => {
    const place = placeInDiff(where, diffLines);
    if (place !== null) comments.push({ ...place, body: cutMarkdown(body, INLINE_LIMIT) });
  };
  for (const criterion of result.criteria) {
    if (criterion.result === "pass" || criterion.where === null || criterion.where === undefined) continue;
    add(
      criterion.where,
      joinSections(
        `❌ **Criterion ${criterion.index + 1} is not met:** ${formatSentence(cutText(criterion.criterion, 500))}`,
        formatExpectation(criterion.expected, criterion.found),
      ),
    );
  }
  for (const finding of result.findings) {
    if (finding.severity !== "blocking") continue;
    add(
      finding.where,
      joinSections(
        `❌ **Blocking:** ${escapeMarkdownText(cutText(finding.title, 500))}`,
        formatExpectation(finding.expected, finding.found),
      ),
    );
  }
  return comments.slice(0, MOST_COMMENTS);
}

function formatExpectation(expected: string | undefined, found: string | undefined): string {
  const line = (name: string, text: string | undefined): string =>
    text === undefined || text.trim() === "" ? "" : `- ${name}: ${formatSentence(cutText(text, 2000))}`;
  return [line("Expected", expected), line("Found", found)].filter((entry) => entry !== "").join("\n");
}

/** All cited lines when they stand in the diff, else the last of them that does, else nothing. */
function placeInDiff(
  { path, start, end }: Evidence,
  diffLines: ReadonlyMap<string, ReadonlySet<number>>,
): Pick<InlineComment, "path" | "line" | "startLine"> | null {
  const lines = diffLines.get(path);
  if (lines === undefined) return null;
  let last = end;
  while (last >= start && !lines.has(last)) last -= 1;
  if (last < start) return null;
  // Lines without a gap lie in one hunk, which GitHub demands of a comment on several lines.
  let first = last;
  while (first > start && lines.has(first - 1)) first -= 1;
  return first === last ? { path, line: last } : { path, line: last, startLine: first };
}
