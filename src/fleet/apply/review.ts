import { GitHubFailure } from "../../contracts/errors.ts";
import { formatMarker, hasMarker } from "../../contracts/names.ts";
import type { Sha } from "../../contracts/ids.ts";
import type { ReviewResult } from "../../contracts/review-result.ts";
import type { Fact } from "../../engine/fact.ts";
import { formatReviewKey } from "../../engine/derive/review-key.ts";
import type { RepositoryPort, Review } from "../../github/port.ts";
import { renderReview } from "../../messages/review-body.ts";
import type { WorkOf } from "./work-of.ts";
import { listLandedPulls } from "../list-landed-pulls.ts";
import { observePull } from "../observe/observe-pull.ts";
import { parseDiffLines } from "../results/diff-lines.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

/**
 * A verdict becomes a review of the pull request. GitHub lets nobody approve a pull request of their
 * own: a second App does, where there is one; otherwise it is a COMMENT whose body says PASS or FAIL.
 */
export async function applyReview(session: RunSession, action: WorkOf<"PostReview">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { chunk, attempt: n, pull, sha } = action;
  const attempt = findRow(state.chunks, chunk)?.attempts.find((entry) => entry.n === n);
  if (attempt === undefined) throw new Error(`attempt ${n} of ${chunk} is unknown`);
  const key = formatReviewKey(chunk, attempt);
  const marker = { run: state.run.run, key: `review:${key}` };
  const judge = await findJudge(session);
  const posted = (review: Pick<Review, "id" | "url">, stands: "stands" | "comment"): readonly Fact[] => [
    {
      kind: "ReviewPosted",
      effect: action.key,
      key,
      id: review.id,
      url: review.url,
      ...(stands === "stands" ? { standsOn: pull } : {}),
    },
  ];
  if (action.probe) {
    for (const port of judge === null ? [repository] : [judge, repository]) {
      const reviews = await port.loadReviews(pull);
      const existing = reviews.find((review) => review.own && hasMarker(review.body, marker));
      if (existing !== undefined) return posted(existing, isStanding(existing) ? "stands" : "comment");
    }
  }
  const wanted = attempt.review !== null && hasPlaces(attempt.review.result);
  const lines = wanted ? await loadShownLines(repository, attempt.base, sha) : new Map<string, ReadonlySet<number>>();
  const text = renderReview(state, chunk, n, lines);
  const content = { sha, body: `${text.body}\n\n${formatMarker(marker)}`, comments: text.comments };
  if (judge !== null && attempt.review !== null) {
    const event = attempt.review.result.outcome === "pass" ? "APPROVE" : "REQUEST_CHANGES";
    try {
      return posted(await judge.createReview(pull, { ...content, event }), "stands");
    } catch (error) {
      // The second App may not do that here; what it found is not lost for that.
      if (!isRefusal(error)) throw error;
      session.fleet.log.warn({ run: session.record.runKey, failure: error.kind }, `No ${event}: ${error.message}`);
    }
  }
  return posted(await repository.createReview(pull, { ...content, event: "COMMENT" }), "comment");
}

/** Whether it blames lines, which are marked in the difference. */
function hasPlaces(result: ReviewResult): boolean {
  if (result.outcome === "void") return false;
  return (
    result.criteria.some((criterion) => criterion.result === "fail") ||
    result.findings.some((finding) => finding.severity === "blocking")
  );
}

/** What GitHub shows as the pull request's difference: comments elsewhere make it refuse the review. */
async function loadShownLines(
  repository: RepositoryPort,
  base: Sha,
  head: Sha,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const { files } = await repository.loadComparison(base, head);
  return new Map(files.map((file) => [file.path, parseDiffLines(file.patch).shown]));
}

export async function applyDismissal(session: RunSession, action: WorkOf<"DismissReview">): Promise<readonly Fact[]> {
  const judge = await findJudge(session);
  // Of what has landed, this may be news of a merge: then the verdict stays with it.
  const settled = listLandedPulls(session.state).has(action.pull) ? await observePull(session, action.pull, null) : [];
  if (settled.length > 0) return settled;
  // Without its App nobody can take it back: its text names the commit it is about.
  if (judge !== null) await judge.dismissReview(action.pull, action.id, action.why);
  return [{ kind: "ReviewDismissed", key: action.review }];
}

/** The repository in the second App's name; null when there is none, or when it is not installed here. */
async function findJudge({ fleet, record }: RunSession): Promise<RepositoryPort | null> {
  const { reviewer } = fleet;
  if (reviewer === undefined) return null;
  try {
    const ref = await reviewer.loadRepositoryRef(record.owner, record.name);
    return ref === null ? null : reviewer.repository(ref);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    fleet.log.warn({ run: record.runKey, failure: error.kind }, `The reviewer App cannot be used: ${error.message}`);
    return null;
  }
}

/** Not a matter of time: another try ends the same way. */
function isRefusal(error: unknown): error is GitHubFailure {
  return error instanceof GitHubFailure && error.kind !== "transient" && error.kind !== "conflict";
}

function isStanding(review: Review): boolean {
  return review.state === "APPROVED" || review.state === "CHANGES_REQUESTED";
}
