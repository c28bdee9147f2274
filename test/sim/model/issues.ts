/** Issues and what is said on them. */
import type { Actor } from "../../../src/github/port.ts";
import type { GitHubModel } from "./github-model.ts";
import { notFound } from "./not-found.ts";
import type { IssueState, ModelComment, ModelIssue } from "./things.ts";
import { Timeline } from "./timeline.ts";

export function createIssue(model: GitHubModel, author: Actor, title: string, body: string): ModelIssue {
  const number = model.nextNumber();
  const state: IssueState = { title, body, state: "open", locked: false, labels: [] };
  const issue: ModelIssue = { number, author, timeline: new Timeline(model.time.now(), state), labelings: [] };
  model.issues.set(number, issue);
  model.hooks.emit("issues", model.payload(author, { action: "opened", issue: describeIssue(model, issue) }));
  return issue;
}

export function changeIssue(
  model: GitHubModel,
  number: number,
  by: Actor,
  action: string,
  change: Partial<IssueState>,
  more: object = {},
): void {
  const issue = model.issues.get(number);
  if (issue === undefined) throw notFound(`issue ${number}`);
  const before = issue.timeline.now.labels;
  issue.timeline.set(model.time.now(), { ...issue.timeline.now, ...change });
  for (const label of change.labels ?? [])
    if (!before.includes(label)) issue.labelings.push({ by, at: model.time.now(), label });
  model.hooks.emit("issues", model.payload(by, { action, issue: describeIssue(model, issue), ...more }));
}

/** When anything of an issue changed last, as seen at a time: comments, too, count as changes. Whole seconds, as GitHub has it. */
export function findChange(model: GitHubModel, issue: ModelIssue, time: number): number {
  let latest = issue.timeline.changedBy(time) ?? 0;
  for (const comment of model.comments.values())
    if (comment.issue === issue.number && comment.createdAt <= time) latest = Math.max(latest, comment.createdAt);
  return Math.floor(latest / 1000) * 1000;
}

/** An issue as webhooks describe it: an empty description is null. */
function describeIssue(model: GitHubModel, issue: ModelIssue): object {
  const { title, body } = issue.timeline.now;
  const updated = findChange(model, issue, model.time.now());
  return {
    number: issue.number,
    title,
    body: body === "" ? null : body,
    updated_at: new Date(updated).toISOString().replace(".000Z", "Z"),
  };
}

export function createComment(model: GitHubModel, number: number, author: Actor, body: string): ModelComment {
  if (!model.issues.has(number) && !model.pulls.has(number)) throw notFound(`issue ${number}`);
  const at = model.time.now();
  const comment: ModelComment = {
    id: model.nextId(),
    issue: number,
    author,
    createdAt: at,
    timeline: new Timeline(at, body),
  };
  model.comments.set(comment.id, comment);
  model.hooks.happened({ kind: "comment", at, comment });
  model.hooks.emit(
    "issue_comment",
    model.payload(author, { action: "created", issue: { number }, comment: { id: comment.id, body } }),
  );
  return comment;
}

/** By whoever wrote it, or by anybody who may write: GitHub does not show readers of the API who it was. */
export function editComment(model: GitHubModel, comment: ModelComment, by: Actor, body: string): void {
  comment.timeline.set(model.time.now(), body);
  tellOfComment(model, comment, by, "edited");
}

export function deleteComment(model: GitHubModel, comment: ModelComment, by: Actor): void {
  model.comments.delete(comment.id);
  model.deletedComments.set(comment.id, comment);
  tellOfComment(model, comment, by, "deleted");
}

function tellOfComment(model: GitHubModel, comment: ModelComment, by: Actor, action: string): void {
  const { id, issue, timeline } = comment;
  model.hooks.emit(
    "issue_comment",
    model.payload(by, { action, issue: { number: issue }, comment: { id, body: timeline.now } }),
  );
}
