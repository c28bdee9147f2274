import { measurePull } from "../pulls/measure-pull.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Issue } from "../state/issue.ts";
import type { Pull, Review, ReviewComment } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { formatOptionalTime, formatTime, type Schema, type View } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";
import { deriveAssociation, listLabels, serializeLabel, serializeReactions } from "./serialize-issue.ts";
import { formatRepositoryPage, formatRepositoryUrl, serializeRepository } from "./serialize-repository.ts";

/** The issue every pull request has. */
export function findPullIssue(repository: Repository, pull: Pull): Issue {
  const issue = repository.issues.get(pull.number);
  if (issue === undefined) throw new Error(`pull request ${pull.number} has no issue`);
  return issue;
}

function serializePullCommon({ urls }: View, repository: Repository, pull: Pull) {
  const issue = findPullIssue(repository, pull);
  const root = formatRepositoryUrl(urls, repository);
  const url = `${root}/pulls/${pull.number}`;
  const page = `${formatRepositoryPage(urls, repository)}/pull/${pull.number}`;
  const issueUrl = `${root}/issues/${pull.number}`;
  const statusesUrl = `${root}/statuses/${pull.headSha}`;
  const owner = serializeAccount(urls, repository.owner);
  const side = (ref: string, sha: string) => ({
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha,
    user: owner,
    repo: serializeRepository(urls, repository),
  });
  return {
    id: pull.id,
    node_id: formatNodeId("PR", pull.id),
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issueUrl,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${root}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statusesUrl,
    number: pull.number,
    state: issue.state,
    locked: issue.locked,
    active_lock_reason: issue.lockReason,
    title: issue.title,
    user: serializeAccount(urls, issue.author),
    body: issue.body,
    labels: listLabels(repository, issue).map((label) => ({
      ...serializeLabel(urls, repository, label),
      description: label.description ?? "",
    })),
    milestone: null,
    created_at: formatTime(issue.createdAt),
    updated_at: formatTime(issue.updatedAt),
    closed_at: formatOptionalTime(issue.closedAt),
    merged_at: formatOptionalTime(pull.mergedAt),
    merge_commit_sha: pull.mergeCommitSha ?? (pull.mergeability.state === "clean" ? pull.mergeability.mergeSha : null),
    assignee: issue.assignees[0] === undefined ? null : serializeAccount(urls, issue.assignees[0]),
    assignees: issue.assignees.map((account) => serializeAccount(urls, account)),
    requested_reviewers: pull.requestedReviewers.map((account) => serializeAccount(urls, account)),
    requested_teams: [],
    head: side(pull.headRef, pull.headSha),
    base: side(pull.baseRef, pull.baseSha),
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: issueUrl },
      comments: { href: `${issueUrl}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${root}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statusesUrl },
    },
    author_association: deriveAssociation(repository, issue.author),
    auto_merge: null,
    draft: pull.draft,
  };
}

/** As lists show it. https://docs.github.com/en/rest/pulls/pulls#list-pull-requests */
export function serializePullSimple(view: View, repository: Repository, pull: Pull): Schema<"pull-request-simple"> {
  return serializePullCommon(view, repository, pull);
}

function deriveMergeableState(pull: Pull): string {
  switch (pull.mergeability.state) {
    case "unknown":
      return "unknown";
    case "conflict":
      return "dirty";
    case "clean":
      return pull.draft ? "draft" : "clean";
  }
}

/** https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request; `mergeable` is null while it is computed. */
export async function serializePull(view: View, repository: Repository, pull: Pull): Promise<Schema<"pull-request">> {
  const size = await measurePull(repository.git, pull.baseSha, pull.headSha);
  const open = findPullIssue(repository, pull).state === "open";
  const mergeable = pull.mergeability.state === "unknown" || !open ? null : pull.mergeability.state === "clean";
  return {
    ...serializePullCommon(view, repository, pull),
    merged: pull.mergedAt !== null,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: open ? deriveMergeableState(pull) : "unknown",
    merged_by: pull.mergedBy === null ? null : serializeAccount(view.urls, pull.mergedBy),
    comments: [...repository.comments.values()].filter((comment) => comment.issueNumber === pull.number).length,
    review_comments: [...repository.reviewComments.values()].filter((c) => c.pullNumber === pull.number).length,
    maintainer_can_modify: false,
    ...size,
  };
}

/** https://docs.github.com/en/rest/pulls/reviews#get-a-review-for-a-pull-request */
export function serializeReview({ urls }: View, repository: Repository, review: Review): Schema<"pull-request-review"> {
  const page = `${formatRepositoryPage(urls, repository)}/pull/${review.pullNumber}#pullrequestreview-${review.id}`;
  const pullUrl = `${formatRepositoryUrl(urls, repository)}/pulls/${review.pullNumber}`;
  return {
    id: review.id,
    node_id: formatNodeId("PRR", review.id),
    user: serializeAccount(urls, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pullUrl,
    author_association: deriveAssociation(repository, review.author),
    _links: { html: { href: page }, pull_request: { href: pullUrl } },
    ...(review.submittedAt === null ? {} : { submitted_at: formatTime(review.submittedAt) }),
    commit_id: review.commitId,
  };
}

/** https://docs.github.com/en/rest/pulls/comments#get-a-review-comment-for-a-pull-request */
export function serializeReviewComment(
  { urls }: View,
  repository: Repository,
  comment: ReviewComment,
): Schema<"pull-request-review-comment"> {
  const url = `${formatRepositoryUrl(urls, repository)}/pulls/comments/${comment.id}`;
  const page = `${formatRepositoryPage(urls, repository)}/pull/${comment.pullNumber}#discussion_r${comment.id}`;
  const pullUrl = `${formatRepositoryUrl(urls, repository)}/pulls/${comment.pullNumber}`;
  return {
    id: comment.id,
    node_id: formatNodeId("PRRC", comment.id),
    pull_request_review_id: comment.reviewId,
    url,
    html_url: page,
    pull_request_url: pullUrl,
    diff_hunk: comment.diffHunk,
    path: comment.path,
    position: comment.position,
    original_position: comment.position,
    line: comment.line,
    original_line: comment.line,
    side: comment.side,
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startSide,
    subject_type: "line",
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
    user: serializeAccount(urls, comment.author),
    body: comment.body,
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
    author_association: deriveAssociation(repository, comment.author),
    reactions: serializeReactions(url),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl } },
  };
}
