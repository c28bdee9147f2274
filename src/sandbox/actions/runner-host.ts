/**
 * The boundary between the local GitHub and its Actions runner. GitHub (the caller) decides that a
 * run starts, keeps its record and answers the API; the runner executes the workflow file.
 */

export interface WorkflowFile {
  /** Repository-relative, `.github/workflows/<name>.yml`. */
  readonly path: string;
  /** The file's text at the ref the run belongs to. */
  readonly text: string;
}

export type PullRequestActivity = "opened" | "synchronize" | "reopened" | "ready_for_review";

export type WorkflowEvent =
  | { readonly name: "workflow_dispatch"; readonly inputs: Readonly<Record<string, string>> }
  | { readonly name: "push" }
  | {
      readonly name: "pull_request";
      readonly action: PullRequestActivity;
      readonly number: number;
      /** Branch names without `refs/heads/`. */
      readonly baseRef: string;
      readonly headRef: string;
    };

export interface RunRepository {
  /** `owner/name`. */
  readonly fullName: string;
  readonly id: number;
  /** Address to clone from; over HTTP the job's token is sent as basic authentication. */
  readonly cloneUrl: string;
  readonly defaultBranch: string;
}

export interface RunRequest {
  readonly runId: number;
  readonly runNumber: number;
  /** 1 for the first execution, one more for each re-run. */
  readonly runAttempt: number;
  readonly workflow: WorkflowFile;
  readonly event: WorkflowEvent;
  /** The webhook payload, seen by the workflow as `github.event`. */
  readonly payload: unknown;
  /** Full ref: `refs/heads/x`, `refs/tags/x` or `refs/pull/1/merge`. */
  readonly ref: string;
  readonly sha: string;
  readonly actor: string;
  readonly repository: RunRepository;
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Configuration variables, the `vars` context. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A folder for this run alone; the runner creates it and removes it at the end. */
  readonly workDir: string;
}

export type Permission = "read" | "write" | "none";

/** https://docs.github.com/en/rest/actions/workflow-runs: the conclusions this runner can reach. */
export type Conclusion = "success" | "failure" | "cancelled" | "skipped" | "timed_out" | "startup_failure";

export interface RunnerHost {
  /**
   * Mints the GITHUB_TOKEN of one job. Keys are API names (`pull_requests`, not `pull-requests`);
   * a scope that is absent is not granted.
   */
  issueToken(permissions: Readonly<Record<string, Permission>>): string;
  /** A job left the queue; returns its id. */
  jobStarted(job: { readonly name: string }): number;
  jobCompleted(jobId: number, conclusion: Conclusion): void;
  /** One line of a job's log, secrets already masked. */
  log(jobId: number, line: string): void;
  /** Stores (or with `overwrite` replaces) an artifact of this run. */
  saveArtifact(name: string, zip: Uint8Array): void;
  loadArtifact(name: string): Uint8Array | null;
  /** Names of this run's artifacts. */
  listArtifacts(): readonly string[];
  /** What a step wrote to GITHUB_STEP_SUMMARY: Markdown, untrusted. */
  addSummary?(jobId: number, markdown: string): void;
}
