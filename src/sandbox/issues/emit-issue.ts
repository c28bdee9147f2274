import { serializeComment, serializeIssue, serializeLabel } from "../serialize/serialize-issue.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Comment, Issue, Label } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";
import { emitEvent } from "../webhooks/emit-event.ts";

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues */
export function emitIssue(
  services: Services,
  repository: Repository,
  issue: Issue,
  event: {
    readonly action: string;
    readonly sender: Account;
    readonly label?: Label;
    readonly changes?: Readonly<Record<string, unknown>>;
  },
): void {
  emitEvent(services, repository, {
    event: "issues",
    action: event.action,
    sender: event.sender,
    payload: {
      issue: serializeIssue(services, repository, issue),
      ...(event.label === undefined ? {} : { label: serializeLabel(services.urls, repository, event.label) }),
      ...(event.changes === undefined ? {} : { changes: event.changes }),
    },
  });
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment; comments on pull requests too. */
export function emitComment(
  services: Services,
  repository: Repository,
  comment: Comment,
  event: {
    readonly action: "created" | "edited" | "deleted";
    readonly sender: Account;
    readonly changes?: Readonly<Record<string, unknown>>;
  },
): void {
  const issue = repository.issues.get(comment.issueNumber);
  if (issue === undefined) return;
  emitEvent(services, repository, {
    event: "issue_comment",
    action: event.action,
    sender: event.sender,
    payload: {
      issue: serializeIssue(services, repository, issue),
      comment: serializeComment(services, repository, comment),
      ...(event.changes === undefined ? {} : { changes: event.changes }),
    },
  });
}
