import { formatMarker, hasMarker } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { renderReview } from "../../messages/review-body.ts";
import type { WorkOf } from "../apply.ts";
import { parseDiffLines } from "../results/diff-lines.ts";
import type { RunSession } from "../run-session.ts";

/**
 * A verdict becomes a review of the pull request. GitHub lets nobody approve a pull request of their
 * own, so it is a COMMENT whose body says PASS or FAIL.
 */
export async function applyReview(session: RunSession, action: WorkOf<"PostReview">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { chunk, attempt: n, pull, sha } = action;
  const attempt = state.chunks[chunk]?.attempts.find((entry) => entry.n === n);
  if (attempt === undefined) throw new Error(`attempt ${n} of ${chunk} is unknown`);
  const key = `${chunk}:${n}`;
  const marker = { run: state.run.run, key: `review:${key}` };
  if (action.probe) {
    const reviews = await repository.loadReviews(pull);
    const existing = reviews.find((review) => review.own && hasMarker(review.body, marker));
    if (existing !== undefined)
      return [{ kind: "ReviewPosted", effect: action.key, key, id: existing.id, url: existing.url }];
  }
  // What GitHub shows as the pull request's difference: comments elsewhere make it refuse the review.
  const comparison = await repository.loadComparison(attempt.base, sha);
  const lines = new Map(comparison.files.map((file) => [file.path, parseDiffLines(file.patch).shown]));
  const text = renderReview(state, chunk, n, lines);
  const body = `${text.body}\n\n${formatMarker(marker)}`;
  const review = await repository.createReview(pull, { sha, event: "COMMENT", body, comments: text.comments });
  return [{ kind: "ReviewPosted", effect: action.key, key, id: review.id, url: review.url }];
}
