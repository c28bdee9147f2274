import type { ChunkId } from "../contracts/ids.ts";
import { escapeMarkdownText, formatCode } from "../contracts/markdown.ts";
import type { ReviewResult } from "../contracts/review-result.ts";
import type { LedgerClass, LedgerEntry } from "../review/ledger.ts";
import type { RunState } from "../engine/state.ts";
import { formatReviewText, formatReviewVerdict } from "./blocks/review-text.ts";
import { joinSections } from "./blocks/sections.ts";
import { cutText, formatSentence } from "./blocks/sentence.ts";
import { BODY_LIMIT, cutMarkdown } from "./cut-markdown.ts";
import { buildInlineComments, type InlineComment } from "./inline-comments.ts";
import { buildLinks } from "./links.ts";
import { formatCount } from "./words/amounts.ts";
import { findRow } from "../engine/table.ts";

export interface ReviewText {
  readonly body: string;
  readonly comments: readonly InlineComment[];
}

/**
 * A verdict as a pull request review. GitHub allows no approval of one's own pull request, so the
 * first words say what it is.
 * @param diffLines path to the lines of the new file that lie inside the diff's hunks: a comment on
 *   any other line makes GitHub refuse the whole review
 */
export function renderReview(
  state: RunState,
  chunk: ChunkId,
  attempt: number,
  diffLines: ReadonlyMap<string, ReadonlySet<number>>,
): ReviewText {
  const entry = findRow(state.chunks, chunk)?.attempts.find((candidate) => candidate.n === attempt);
  if (entry === undefined || entry.review === null || entry.head === null) return { body: "", comments: [] };
  const links = buildLinks(state);
  const { result } = entry.review;
  const comments = buildInlineComments(result, diffLines);
  const body = joinSections(
    `## ${formatHeading(result)}`,
    `Attempt ${attempt} of ${formatCode(chunk)} at [\`${entry.head.slice(0, 10)}\`](${links.commit(entry.head)}).${comments.length === 0 ? "" : ` ${formatCount(comments.length, "place")} marked in the diff.`}`,
    formatReviewText(result, links, entry.head),
    formatLedger(entry.ledger),
    formatOpinions(result, entry.opinions),
    formatNext(state, result),
  );
  return { body: cutMarkdown(body, BODY_LIMIT), comments };
}

const LEDGER_WORDS: Readonly<Record<LedgerClass, string>> = {
  "new-latent": "was there before, and an earlier reviewer did not mind it",
  "introduced-by-fix": "came with this attempt, which was to mend another",
  repeat: "an earlier reviewer found the same",
  contradicted: "reviewers disagree about the same code",
};

/** What each finding is in the history of this chunk's reviews, as the App sees it. */
function formatLedger(ledger: readonly LedgerEntry[]): string {
  if (ledger.length === 0) return "";
  const lines = ledger.map(
    (entry) => `- ${escapeMarkdownText(cutText(entry.title, 200))}: ${LEDGER_WORDS[entry.class]}`,
  );
  return `**Across attempts**\n\n${lines.join("\n")}`;
}

/** Every reviewer of this commit is shown, also the one who was outvoted, with what they blocked on. */
function formatOpinions(shown: ReviewResult, opinions: ReadonlyArray<{ readonly result: ReviewResult }>): string {
  if (opinions.length === 0) return "";
  const disagree = opinions.some((one) => one.result.outcome !== shown.outcome);
  const heading = disagree
    ? `**Reviewers disagreed: ${formatCount(opinions.length + 1, "independent verdict")}, the majority decided.** The others said`
    : "**Confirmed by an independent reviewer**, who said";
  const lines = opinions.flatMap(({ result }) => [
    `- ${formatSentence(formatReviewVerdict(result))}`,
    ...listBlocking(result).map((title) => `  - ${escapeMarkdownText(cutText(title, 200))}`),
  ]);
  return `${heading}:\n\n${lines.join("\n")}`;
}

const MOST_TITLES = 10;

function listBlocking(result: ReviewResult): readonly string[] {
  if (result.outcome === "void") return [];
  return [
    ...result.criteria.filter((one) => one.result === "fail").map((one) => one.criterion),
    ...result.findings.filter((one) => one.severity === "blocking").map((one) => one.title),
  ].slice(0, MOST_TITLES);
}

function formatHeading(result: ReviewResult): string {
  return `${result.outcome === "pass" ? "✅" : "❌"} ${formatSentence(formatReviewVerdict(result))}`;
}

function formatNext(state: RunState, result: ReviewResult): string {
  if (result.outcome === "pass")
    return "<sub>An adversarial reviewer that saw only the specification and the change. Every quote was found in the commit.</sub>";
  return `<sub>The next attempt gets what fails above as data; another reviewer, who never sees this verdict, judges it. After ${state.run.config.limits.tries} failed reviews a person is asked.</sub>`;
}
