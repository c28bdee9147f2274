import type { Account } from "./account.ts";
import type { Conclusion, RunRequest } from "../actions/runner-host.ts";

export interface Workflow {
  readonly id: number;
  readonly path: string;
  readonly createdAt: number;
}

export interface WorkflowRun {
  readonly id: number;
  readonly number: number;
  readonly attempt: number;
  readonly workflowId: number;
  readonly workflowName: string;
  readonly path: string;
  /** `run-name`, settled when the run is created. */
  readonly displayTitle: string;
  readonly event: "workflow_dispatch" | "push" | "pull_request";
  /** The commit shown on GitHub; for pull requests the head, while the job sees the merge commit. */
  readonly headSha: string;
  readonly headBranch: string;
  readonly pullNumbers: readonly number[];
  readonly actor: Account;
  readonly suiteId: number;
  readonly request: RunRequest;
  status: "queued" | "in_progress" | "completed";
  conclusion: Conclusion | null;
  readonly createdAt: number;
  startedAt: number;
  updatedAt: number;
  readonly abort: AbortController;
}

export interface Job {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: Conclusion | null;
  readonly startedAt: number;
  completedAt: number | null;
  readonly log: string[];
}

export interface Artifact {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly size: number;
  readonly digest: string;
  readonly createdAt: number;
  readonly file: string;
}
