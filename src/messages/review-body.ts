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
  const entry = state.chunks[chunk]?.attempts.find((candidate) => candidate.n === attempt);
  if (entry === undefined || entry.review === null || entry.head === null) return { body: "", comments: [] };
  const links = buildLinks(state);
  const { result } = entry.review;
  const comments = buildInlineComments(result, diffLines);
  const body = joinSections(
    `## ${formatHeading(result)}`,
    `Attempt ${attempt} of ${formatCode(chunk)} at [\`${entry.head.slice(0, 10)}\`](${links.commit(entry.head)}).${comments.length === 0 ? "" : ` ${formatCount(comments.length, "place")} marked in the diff.`}`,
    formatReviewText(result, links, entry.head),
    formatLedger(entry.ledger),
    formatOpinions(entry.opinions),
    formatNext(state, result),
  );
  return { body: cutMarkdown(body, BODY_LIMIT), comments };
}

const LEDGER_WORDS: Readonly<Record<LedgerClass, string>> = {
  "new-latent": "was there before, and an earlier reviewer did not mind it",
  "introduced-by-fix": "came with this attempt",
  repeat: "an earlier reviewer found the same",
  contradicted: "an earlier reviewer passed it on the same code",
};

/** What each finding is in the history of this chunk's reviews, as the App sees it. */
function formatLedger(ledger: readonly LedgerEntry[]): string {
  if (ledger.length === 0) return "";
  const lines = ledger.map(
    (entry) => `- ${escapeMarkdownText(cutText(entry.title, 200))}: ${LEDGER_WORDS[entry.class]}`,
  );
  return `**Across attempts**\n\n${lines.join("\n")}`;
}

/** Reviewers disagreed or agreed: both are shown. */
function formatOpinions(opinions: ReadonlyArray<{ readonly result: ReviewResult }>): string {
  if (opinions.length === 0) return "";
  const lines = opinions.map((one) => `- ${formatSentence(formatReviewVerdict(one.result))}`);
  return `**Independent reviewers said as well**\n\n${lines.join("\n")}`;
}

function formatHeading(result: ReviewResult): string {
  return `${result.outcome === "pass" ? "✅" : "❌"} ${formatSentence(formatReviewVerdict(result))}`;
}

function formatNext(state: RunState, result: ReviewResult): string {
  if (result.outcome === "pass")
    return "<sub>An adversarial reviewer that saw only the specification and the change. Every quote was found in the commit.</sub>";
  return `<sub>The next attempt gets what fails above as data; another reviewer, who never sees this verdict, judges it. After ${state.run.config.limits.tries} failed reviews a person is asked.</sub>`;
}
