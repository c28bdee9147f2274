/** What stands in the repository, each with its past. */
import type { Sha } from "../../../src/contracts/ids.ts";
import type { Actor, CheckOutput, Review, WorkflowRun } from "../../../src/github/port.ts";
import type { Timeline } from "./timeline.ts";

export interface IssueState {
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly locked: boolean;
  readonly labels: readonly string[];
}

export interface ModelIssue {
  readonly number: number;
  readonly author: Actor;
  readonly timeline: Timeline<IssueState>;
  /** Every label ever set on it, oldest first. */
  readonly labelings: Array<{ readonly by: Actor; readonly at: number; readonly label: string }>;
}

export interface PullState {
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly mergeCommit: Sha | null;
  readonly mergedAt: number | null;
  readonly draft: boolean;
  readonly headSha: Sha;
}

export interface ModelPull {
  readonly number: number;
  readonly nodeId: string;
  readonly head: string;
  /** Another one once the branch of a merged pull request is deleted. */
  base: string;
  readonly createdAt: number;
  readonly author: Actor;
  readonly timeline: Timeline<PullState>;
}

export interface ModelComment {
  readonly id: number;
  readonly issue: number;
  readonly author: Actor;
  readonly createdAt: number;
  readonly timeline: Timeline<string>;
}

export interface ModelReview {
  readonly id: number;
  readonly pull: number;
  readonly author: Actor;
  readonly body: string;
  readonly timeline: Timeline<Review["state"]>;
  readonly commit: Sha;
  readonly at: number;
  readonly comments: number;
}

export interface ModelCheck {
  readonly id: number;
  readonly sha: Sha;
  readonly appId: number;
  readonly createdAt: number;
  readonly timeline: Timeline<
    Omit<CheckOutput, "annotations" | "conclusion" | "name"> & { name: string; conclusion: string | null }
  >;
}

/** What services say of a commit that know no check runs; the newest of a context counts. */
export interface ModelStatus {
  readonly sha: Sha;
  readonly context: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly at: number;
}

/** A button of a check run, pressed. */
export interface ButtonPress {
  readonly by: Actor;
  readonly at: number;
  readonly button: string;
  /** Of the check run it stands on. */
  readonly externalId: string;
}

export interface ModelRun {
  readonly id: number;
  readonly title: string;
  readonly event: string;
  readonly headSha: Sha;
  readonly headBranch: string;
  readonly path: string;
  readonly createdAt: number;
  readonly inputs: Readonly<Record<string, string>>;
  readonly timeline: Timeline<{ readonly status: WorkflowRun["status"]; readonly conclusion: string | null }>;
  artifact: { readonly text: string; readonly at: number } | null;
}
