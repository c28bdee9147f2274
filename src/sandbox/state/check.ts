import type { Account } from "./account.ts";

export type CheckStatus = "queued" | "in_progress" | "completed" | "waiting" | "requested" | "pending";
export type CheckConclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "startup_failure"
  | "stale";

export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column: number | null;
  readonly end_column: number | null;
  readonly annotation_level: "notice" | "warning" | "failure";
  readonly message: string;
  readonly title: string | null;
  readonly raw_details: string | null;
}

export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface CheckSuite {
  readonly id: number;
  readonly appId: number;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly before: string | null;
  /** Set for suites that belong to a workflow run. */
  readonly runId: number | null;
  /**
   * Checks of dispatched runs do not count on a pull request.
   * https://github.blog/changelog/2019-09-24-github-actions-check-suites-and-workflow-dispatch
   */
  readonly countsOnPulls: boolean;
  readonly createdAt: number;
  updatedAt: number;
}

export interface CheckRun {
  readonly id: number;
  readonly suiteId: number;
  readonly appId: number;
  readonly headSha: string;
  name: string;
  externalId: string;
  detailsUrl: string | null;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  startedAt: number | null;
  completedAt: number | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: Annotation[];
  actions: readonly CheckAction[];
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: Account;
  readonly createdAt: number;
}
