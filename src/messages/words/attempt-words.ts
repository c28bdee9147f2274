import { formatReviewKey } from "../../engine/derive/review-key.ts";
import { formatCode } from "../../contracts/markdown.ts";
import { GATE_NAMES, type Violation } from "../../contracts/floor-result.ts";
import type { ReviewResult } from "../../contracts/review-result.ts";
import type { AttemptState, ChunkState, RunState } from "../../engine/state.ts";
import { cutText } from "../blocks/sentence.ts";
import type { Links } from "../links.ts";
import { findRunLink } from "./job-words.ts";
import { formatCount, formatList } from "./amounts.ts";
import { findRow } from "../../engine/table.ts";

/** What came of an attempt: which phase it ended in, what failed, and where to look. */
export interface AttemptWords {
  readonly phase: string;
  /** Sentence as {@link formatSentence} reads it; untrusted parts may be in it. */
  readonly what: string;
  readonly url: string | null;
}

export function describeAttempt(state: RunState, chunk: ChunkState, attempt: AttemptState, links: Links): AttemptWords {
  const floorUrl = findRow(state.checks, `${state.run.run}:floor:${chunk.id}:${attempt.n}`)?.url ?? null;
  const reviewUrl =
    findRow(state.reviews, formatReviewKey(chunk.id, attempt))?.url ??
    findRow(state.checks, `${state.run.run}:review:${chunk.id}:${attempt.n}`)?.url ??
    null;
  const runUrl = findRunLink(findRow(state.jobs, attempt.job), links);
  const headUrl = attempt.head === null ? null : links.commit(attempt.head);
  switch (attempt.stage) {
    case "implementing":
      return { phase: "implement", what: "under way", url: runUrl };
    case "received":
      return { phase: "implement", what: `${formatCount(attempt.files.length, "file")} handed in`, url: runUrl };
    case "committed":
      return { phase: "floor", what: "committed, the floor runs", url: headUrl };
    case "floor-passed":
      return { phase: "review", what: describeReviewWait(attempt), url: floorUrl ?? headUrl };
    case "verified":
      return { phase: "landing", what: "floor and review passed", url: reviewUrl ?? headUrl };
    case "landed":
      return { phase: "landing", what: "floor and review passed", url: reviewUrl ?? headUrl };
    case "unusable":
      return { phase: "implement", what: `the agent gave nothing usable: ${cutText(attempt.cause, 200)}`, url: runUrl };
    case "external":
      return { phase: "implement", what: `something outside failed: ${cutText(attempt.cause, 200)}`, url: runUrl };
    case "refused":
      return { phase: "commit", what: `refused: ${describeViolations(attempt.problems)}`, url: floorUrl ?? runUrl };
    case "floor-failed":
      return {
        phase: "floor",
        what: `floor failed: ${describeViolations(attempt.floor?.result.violations ?? [])}`,
        url: floorUrl ?? headUrl,
      };
    case "review-failed":
      return {
        phase: "review",
        what: `review failed: ${describeReview(attempt.review?.result ?? null)}`,
        url: reviewUrl ?? headUrl,
      };
    case "conflicted":
      return {
        phase: "landing",
        what: `conflicts with what has landed in ${formatList(attempt.conflicts.map(formatCode), 3)}`,
        url: headUrl,
      };
    case "integration-failed":
      return {
        phase: "landing",
        what: `fails together with what has landed: ${describeViolations(attempt.integration)}`,
        url: headUrl,
      };
    case "superseded":
      return { phase: "superseded", what: "superseded, its result changes nothing", url: headUrl ?? runUrl };
  }
}

function describeReviewWait(attempt: AttemptState): string {
  if (attempt.voidReviews === 0) return "floor passed, in review";
  return `floor passed; ${formatCount(attempt.voidReviews, "verdict")} could not be believed, asking another reviewer`;
}

/** The first violation in words and how many there are besides. */
function describeViolations(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first === undefined) return "no violation was recorded";
  const place = first.path === undefined ? "" : ` (\`${first.path.replaceAll("`", "'")}\`)`;
  const more = violations.length - 1;
  return `${GATE_NAMES[first.gate]}: ${cutText(first.message, 160)}${place}${more === 0 ? "" : ` and ${more} more`}`;
}

/** What a reviewer found wanting. */
function describeReview(result: ReviewResult | null): string {
  if (result === null) return "no verdict was recorded";
  if (result.outcome === "void") return result.reasons[0] ?? "the verdict could not be believed";
  const failed = result.criteria.filter((criterion) => criterion.result === "fail");
  const blocking = result.findings.filter((finding) => finding.severity === "blocking");
  const [criterion] = failed;
  const [finding] = blocking;
  const more = failed.length + blocking.length - 1;
  const rest = more > 0 ? ` and ${more} more` : "";
  if (criterion !== undefined) return `criterion “${cutText(criterion.criterion, 120)}” is not met${rest}`;
  if (finding !== undefined) return `${cutText(finding.title, 160)}${rest}`;
  return cutText(result.summary, 160);
}
