import { formatNodeId } from "../state/ids.ts";
import type { IssueEvent, IssueEventDetail } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";
import { formatTime, type Schema, type View } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";
import { serializeApp } from "./serialize-app.ts";
import { formatRepositoryUrl } from "./serialize-repository.ts";

function serializeDetail(detail: IssueEventDetail): Record<string, unknown> {
  switch (detail.event) {
    case "labeled":
    case "unlabeled":
      return { label: detail.label };
    case "renamed":
      return { rename: { from: detail.from, to: detail.to } };
    case "review_dismissed":
      return {
        dismissed_review: {
          state: detail.state.toLowerCase(),
          review_id: detail.reviewId,
          dismissal_message: detail.message,
        },
      };
    case "locked":
    case "unlocked":
      return { lock_reason: null };
    case "closed":
      return { state_reason: detail.reason };
    case "reopened":
    case "ready_for_review":
    case "convert_to_draft":
    case "merged":
    case "head_ref_deleted":
    case "base_ref_deleted":
    case "base_ref_changed":
    case "pushed":
      return {};
  }
}

/** https://docs.github.com/en/rest/issues/events#list-issue-events */
export function serializeEvent(
  { urls, world }: View,
  repository: Repository,
  event: IssueEvent,
): Schema<"issue-event"> {
  const root = formatRepositoryUrl(urls, repository);
  const commitId = event.detail.event === "merged" ? event.detail.commitId : null;
  const app = event.appId === null ? null : world.findApp(event.appId);
  return {
    id: event.id,
    node_id: formatNodeId("EV", event.id),
    url: `${root}/issues/events/${event.id}`,
    actor: serializeAccount(urls, event.actor),
    event: event.detail.event,
    commit_id: commitId,
    commit_url: commitId === null ? null : `${root}/commits/${commitId}`,
    created_at: formatTime(event.at),
    performed_via_github_app: app === null ? null : serializeApp(urls, app),
    ...serializeDetail(event.detail),
  };
}
