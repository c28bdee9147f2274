/** The repository's own checks on one commit, as plain data from GitHub's API. */

export interface CheckRunView {
  readonly id: number;
  readonly name: string;
  /** null when GitHub does not say; then the name alone is the identity. */
  readonly appId: number | null;
  /** The workflow the run belongs to, when known: two workflows may have a job of the same name. */
  readonly workflow?: string;
  /** `queued`, `in_progress`, `completed`, `waiting`, `requested`, `pending`, or whatever comes next. */
  readonly status: string;
  readonly conclusion: string | null;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

export interface StatusView {
  readonly context: string;
  /** `success`, `failure`, `error`, `pending`. */
  readonly state: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface WorkflowRunView {
  readonly id: number;
  /** The workflow file's path, or any other stable name of the workflow. */
  readonly workflow: string;
  readonly event: string;
  readonly attempt: number;
  readonly status: string;
  readonly conclusion: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface ExpectedCi {
  readonly name: string;
  /** The App that must report it; null = any, also as a commit status. */
  readonly appId: number | null;
}

export interface CiInput {
  readonly checkRuns: readonly CheckRunView[];
  readonly statuses: readonly StatusView[];
  /** Workflow runs of the commit, without those of our own workflow. */
  readonly workflowRuns: readonly WorkflowRunView[];
  /** What the API's `total_count` says, to notice a page that did not arrive; null = not known. */
  readonly totals: { readonly checkRuns: number | null; readonly statuses: number | null };
  /** Workflows (as in {@link WorkflowRunView.workflow}) that must have a run for this commit. */
  readonly expectedWorkflows: readonly string[];
  /** Checks that rules demand on the branch this commit goes to; our own are not waited for. */
  readonly expectedChecks: readonly ExpectedCi[];
  /** Our own App: its checks are never waited for. */
  readonly ownAppId: number | null;
  /** Names of checks, contexts and workflows that are not waited for. */
  readonly ignore: readonly string[];
  /** What a skipped check counts as. */
  readonly skipped: "pass" | "fail";
  /** Whether the time to wait for absent and unfinished checks is over. */
  readonly deadline: "open" | "passed";
}

export interface CiRow {
  readonly name: string;
  readonly source: "check" | "status" | "workflow";
  readonly state: "pass" | "fail" | "pending";
  /** GitHub's own word: a conclusion, a status, `missing`, `waits for a person`. */
  readonly detail: string;
}
