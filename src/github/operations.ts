/**
 * Every operation on GitHub that Taskfleet uses, with what it needs and costs. The App's manifest,
 * the governor, the error messages, the documentation and `doctor` all read this table.
 */
import type { Priority } from "./priority.ts";

export type PermissionName = "actions" | "checks" | "contents" | "issues" | "metadata" | "pull_requests" | "statuses";

export interface Operation {
  /** null: called as the App itself, which needs no permission. */
  readonly permission: { readonly name: PermissionName; readonly level: "read" | "write" } | null;
  /**
   * What GitHub counts (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api):
   * a read 1 point, a write 5, and writes on issues, comments, pull requests, reviews and checks
   * against the limits for content besides.
   */
  readonly cost: "read" | "write" | "content";
  readonly priority: Priority;
  /** Sending it twice has the effect of sending it once, so it may be sent again when no answer came. */
  readonly repeatable: boolean;
}

type Level = PermissionName | null;

const read = (name: Level): Operation => ({
  permission: name === null ? null : { name, level: "read" },
  cost: "read",
  priority: "dispatch",
  repeatable: true,
});

const write = (
  name: Level,
  cost: "write" | "content",
  priority: Priority,
  repeats: "repeatable" | "once",
): Operation => ({
  permission: name === null ? null : { name, level: "write" },
  cost,
  priority,
  repeatable: repeats === "repeatable",
});

const repo = "/repos/{owner}/{repo}";

export const OPERATIONS = {
  "GET /app": read(null),
  "GET /app/hook/deliveries": read(null),
  "GET /app/installations": read(null),
  "GET /installation/repositories": read("metadata"),
  "POST /app/hook/deliveries/{delivery_id}/attempts": write(null, "write", "dispatch", "repeatable"),

  [`GET ${repo}/installation`]: read(null),
  [`GET ${repo}`]: read("metadata"),
  [`GET ${repo}/collaborators/{username}/permission`]: read("metadata"),
  [`GET ${repo}/rules/branches/{branch}`]: read("metadata"),

  [`GET ${repo}/contents/{path}`]: read("contents"),
  [`GET ${repo}/compare/{basehead}`]: read("contents"),
  [`GET ${repo}/git/blobs/{file_sha}`]: read("contents"),
  [`GET ${repo}/git/commits/{commit_sha}`]: read("contents"),
  [`GET ${repo}/git/matching-refs/{ref}`]: read("contents"),
  [`GET ${repo}/git/ref/{ref}`]: read("contents"),
  [`GET ${repo}/git/trees/{tree_sha}`]: read("contents"),
  [`POST ${repo}/git/blobs`]: write("contents", "write", "landing", "repeatable"),
  [`POST ${repo}/git/trees`]: write("contents", "write", "landing", "repeatable"),
  [`POST ${repo}/git/commits`]: write("contents", "write", "landing", "repeatable"),
  // Again it would answer "nothing to merge", and the commit it made would stay unknown.
  [`POST ${repo}/merges`]: write("contents", "write", "landing", "once"),
  [`POST ${repo}/git/refs`]: write("contents", "write", "landing", "repeatable"),
  [`PATCH ${repo}/git/refs/{ref}`]: write("contents", "write", "landing", "repeatable"),
  [`DELETE ${repo}/git/refs/{ref}`]: write("contents", "write", "cosmetic", "repeatable"),

  [`GET ${repo}/issues`]: read("issues"),
  [`GET ${repo}/issues/{issue_number}`]: read("issues"),
  [`GET ${repo}/issues/{issue_number}/comments`]: read("issues"),
  [`GET ${repo}/issues/{issue_number}/events`]: read("issues"),
  [`GET ${repo}/issues/{issue_number}/sub_issues`]: read("issues"),
  [`GET ${repo}/issues/{issue_number}/dependencies/blocked_by`]: read("issues"),
  [`POST ${repo}/issues`]: write("issues", "content", "cosmetic", "once"),
  // A relation that is there already answers 422, which we take for success.
  [`POST ${repo}/issues/{issue_number}/sub_issues`]: write("issues", "content", "cosmetic", "repeatable"),
  [`POST ${repo}/issues/{issue_number}/dependencies/blocked_by`]: write("issues", "content", "cosmetic", "repeatable"),
  [`DELETE ${repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id}`]: write(
    "issues",
    "content",
    "cosmetic",
    "repeatable",
  ),
  [`PATCH ${repo}/issues/{issue_number}`]: write("issues", "content", "cosmetic", "repeatable"),
  [`POST ${repo}/issues/{issue_number}/comments`]: write("issues", "content", "dispatch", "once"),
  [`PATCH ${repo}/issues/comments/{comment_id}`]: write("issues", "content", "cosmetic", "repeatable"),

  [`GET ${repo}/pulls`]: read("pull_requests"),
  [`GET ${repo}/pulls/{pull_number}`]: read("pull_requests"),
  [`GET ${repo}/pulls/{pull_number}/reviews`]: read("pull_requests"),
  [`POST ${repo}/pulls`]: write("pull_requests", "content", "dispatch", "once"),
  [`PATCH ${repo}/pulls/{pull_number}`]: write("pull_requests", "content", "cosmetic", "repeatable"),
  [`POST ${repo}/pulls/{pull_number}/reviews`]: write("pull_requests", "content", "dispatch", "once"),
  // A review that is dismissed already answers 422, which we take for success.
  [`PUT ${repo}/pulls/{pull_number}/reviews/{review_id}/dismissals`]: write(
    "pull_requests",
    "content",
    "cosmetic",
    "repeatable",
  ),
  // Merging writes to the base branch: contents (docs.github.com/en/rest/pulls/pulls#merge-a-pull-request).
  [`PUT ${repo}/pulls/{pull_number}/merge`]: write("contents", "content", "landing", "once"),
  // markPullRequestReadyForReview: ready twice is ready.
  "POST /graphql": write("pull_requests", "content", "dispatch", "repeatable"),

  [`GET ${repo}/commits/{ref}/check-runs`]: read("checks"),
  [`POST ${repo}/check-runs`]: write("checks", "content", "dispatch", "once"),
  // Annotations of an update are added to those that are there.
  [`PATCH ${repo}/check-runs/{check_run_id}`]: write("checks", "content", "cosmetic", "once"),
  [`GET ${repo}/commits/{ref}/statuses`]: read("statuses"),

  [`GET ${repo}/actions/artifacts/{artifact_id}/{archive_format}`]: read("actions"),
  [`GET ${repo}/actions/runs`]: read("actions"),
  [`GET ${repo}/actions/runs/{run_id}`]: read("actions"),
  [`GET ${repo}/actions/runs/{run_id}/artifacts`]: read("actions"),
  [`GET ${repo}/actions/workflows/{workflow_id}`]: read("actions"),
  [`GET ${repo}/actions/workflows/{workflow_id}/runs`]: read("actions"),
  [`POST ${repo}/actions/workflows/{workflow_id}/dispatches`]: write("actions", "write", "dispatch", "once"),
  [`POST ${repo}/actions/runs/{run_id}/cancel`]: write("actions", "write", "dispatch", "repeatable"),
} as const satisfies Readonly<Record<string, Operation>>;

export type Route = keyof typeof OPERATIONS;
