import type { Account } from "../state/account.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Comment, Issue, Label } from "../state/issue.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import { formatOptionalTime, formatTime, type Schema, type Urls, type View } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";
import { serializeApp } from "./serialize-app.ts";
import { formatRepositoryPage, formatRepositoryUrl } from "./serialize-repository.ts";

/** https://docs.github.com/en/graphql/reference/enums#commentauthorassociation */
export function deriveAssociation(repository: Repository, account: Account): Schema<"author-association"> {
  if (account.id === repository.owner.id) return "OWNER";
  return repository.collaborators.has(account.id) ? "COLLABORATOR" : "NONE";
}

/** https://docs.github.com/en/rest/issues/labels#get-a-label */
export function serializeLabel(urls: Urls, repository: Repository, label: Label): Schema<"label"> {
  return {
    id: label.id,
    node_id: formatNodeId("LA", label.id),
    url: `${formatRepositoryUrl(urls, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    description: label.description,
    color: label.color,
    default: false,
  };
}

export function serializeReactions(url: string): Schema<"reaction-rollup"> {
  const none = { "+1": 0, "-1": 0, laugh: 0, hooray: 0, confused: 0, heart: 0, rocket: 0, eyes: 0 };
  return { url: `${url}/reactions`, total_count: 0, ...none };
}

/** The labels of an issue in the order they were put on; deleted labels are gone from it. */
export function listLabels(repository: Repository, issue: Issue): Label[] {
  return issue.labels.flatMap((name) => repository.labels.get(name) ?? []);
}

/** https://docs.github.com/en/rest/issues/issues#get-an-issue; pull requests are issues too. */
export function serializeIssue({ urls, world }: View, repository: Repository, issue: Issue): Schema<"issue"> {
  const root = formatRepositoryUrl(urls, repository);
  const url = `${root}/issues/${issue.number}`;
  const pull = repository.pulls.get(issue.number);
  const page = `${formatRepositoryPage(urls, repository)}/${pull ? "pull" : "issues"}/${issue.number}`;
  const app = issue.appId === null ? null : world.findApp(issue.appId);
  const pullUrl = `${root}/pulls/${issue.number}`;
  return {
    id: issue.id,
    node_id: formatNodeId(pull ? "PR" : "I", pull?.id ?? issue.id),
    url,
    repository_url: root,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: page,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    user: serializeAccount(urls, issue.author),
    labels: listLabels(repository, issue).map((label) => serializeLabel(urls, repository, label)),
    state: issue.state,
    state_reason: issue.stateReason,
    locked: issue.locked,
    active_lock_reason: issue.lockReason,
    assignee: issue.assignees[0] === undefined ? null : serializeAccount(urls, issue.assignees[0]),
    assignees: issue.assignees.map((account) => serializeAccount(urls, account)),
    milestone: null,
    comments: [...repository.comments.values()].filter((comment) => comment.issueNumber === issue.number).length,
    created_at: formatTime(issue.createdAt),
    updated_at: formatTime(issue.updatedAt),
    closed_at: formatOptionalTime(issue.closedAt),
    closed_by: issue.closedBy === null ? null : serializeAccount(urls, issue.closedBy),
    author_association: deriveAssociation(repository, issue.author),
    performed_via_github_app: app === null ? null : serializeApp(urls, app),
    reactions: serializeReactions(url),
    ...(pull === undefined
      ? {}
      : {
          draft: pull.draft,
          pull_request: {
            url: pullUrl,
            html_url: page,
            diff_url: `${page}.diff`,
            patch_url: `${page}.patch`,
            merged_at: formatOptionalTime(pull.mergedAt),
          },
        }),
  };
}

/** https://docs.github.com/en/rest/issues/comments#get-an-issue-comment */
export function serializeComment(view: View, repository: Repository, comment: Comment): Schema<"issue-comment"> {
  const { urls, world } = view;
  const root = formatRepositoryUrl(urls, repository);
  const url = `${root}/issues/comments/${comment.id}`;
  const kind = repository.pulls.has(comment.issueNumber) ? "pull" : "issues";
  const app = comment.appId === null ? null : world.findApp(comment.appId);
  return {
    id: comment.id,
    node_id: formatNodeId("IC", comment.id),
    url,
    html_url: `${urls.html}/${formatFullName(repository)}/${kind}/${comment.issueNumber}#issuecomment-${comment.id}`,
    issue_url: `${root}/issues/${comment.issueNumber}`,
    body: comment.body,
    user: serializeAccount(urls, comment.author),
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
    author_association: deriveAssociation(repository, comment.author),
    performed_via_github_app: app === null ? null : serializeApp(urls, app),
    reactions: serializeReactions(url),
  };
}
