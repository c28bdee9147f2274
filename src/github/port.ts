/**
 * GitHub as the rest of Taskfleet sees it: our vocabulary, our errors ({@link GitHubFailure}), no
 * Octokit. Every method is one effect or one read; none retries an effect whose outcome is unknown
 * (`details.ambiguous`): that is the engine's decision.
 */
import type { TrackerPort } from "./tracker-port.ts";
import type { CheckButton } from "../contracts/buttons.ts";
import type { CheckName } from "../contracts/names.ts";
import type { JobId, Sha } from "../contracts/ids.ts";

export interface RepositoryRef {
  /** GitHub's numeric id: survives renames. */
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly installationId: number;
}

export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string;
  readonly archived: boolean;
  readonly private: boolean;
}

/** `role_name` of the permission endpoint; custom roles answer with the base role in `permission`. */
export type RepositoryRole = "admin" | "maintain" | "write" | "triage" | "read" | "none";

export interface Actor {
  readonly login: string;
  readonly id: number;
  readonly bot: boolean;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly locked: boolean;
  readonly labels: readonly string[];
  readonly author: Actor;
  readonly pullRequest: boolean;
  /** When anything on it changed last: text, labels, comments, … Milliseconds since the epoch; GitHub tells whole seconds. */
  readonly updatedAt: number;
  readonly url: string;
}

/** A label as somebody set it. */
export interface Labeling {
  readonly by: Actor;
  /** Milliseconds since the epoch; GitHub tells whole seconds. */
  readonly at: number;
}

export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly author: Actor;
  /** Whether our own App wrote it. */
  readonly own: boolean;
  readonly createdAt: number;
  /** Whether its text was changed since, by its author or by somebody else who may. */
  readonly edited: boolean;
  readonly url: string;
}

export interface Commit {
  readonly sha: Sha;
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly message: string;
}

export interface TreeEntry {
  readonly path: string;
  readonly mode: "100644" | "100755" | "040000" | "160000" | "120000";
  readonly type: "blob" | "tree" | "commit";
  readonly sha: Sha;
}

/** `sha: null` deletes the path; `content` writes a UTF-8 file. */
export type TreeChange =
  | { readonly path: string; readonly mode: "100644" | "100755" | "120000"; readonly sha: Sha }
  | { readonly path: string; readonly mode: "100644" | "100755"; readonly content: string }
  | { readonly path: string; readonly sha: null };

export interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed" | "unchanged";
  /** Absent for binary and very large files. */
  readonly patch: string | null;
  readonly sha: string;
}

export interface Comparison {
  /** `unrelated`: they have no history in common, as after a push of another repository's branch. */
  readonly status: "ahead" | "behind" | "identical" | "diverged" | "unrelated";
  /** null exactly where they are unrelated. */
  readonly mergeBase: Sha | null;
  readonly aheadBy: number;
  readonly behindBy: number;
  /** False when the 300-file cap was reached: then `files` says nothing about the rest. */
  readonly complete: boolean;
  readonly files: readonly ChangedFile[];
}

export interface Pull {
  readonly number: number;
  readonly nodeId: string;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly mergeCommit: Sha | null;
  /** null unless it is merged. Milliseconds since the epoch; GitHub tells whole seconds. */
  readonly mergedAt: number | null;
  readonly draft: boolean;
  /** null while GitHub is still computing it. */
  readonly mergeable: boolean | null;
  readonly head: { readonly ref: string; readonly sha: Sha };
  readonly base: { readonly ref: string; readonly sha: Sha };
  readonly title: string;
  readonly body: string;
  readonly url: string;
}

export interface Review {
  readonly id: number;
  readonly body: string;
  readonly author: Actor;
  readonly own: boolean;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING";
  readonly commit: string | null;
  readonly submittedAt: number;
  readonly url: string;
}

export interface WorkflowRun {
  readonly id: number;
  /** The `run-name`, where the correlation id stands. */
  readonly title: string;
  readonly event: string;
  readonly status: "queued" | "in_progress" | "completed" | "waiting" | "requested" | "pending";
  /** GitHub may answer with words unknown to us: they are kept as they are and never mean success. */
  readonly conclusion: string | null;
  readonly headSha: Sha;
  readonly headBranch: string | null;
  readonly path: string;
  readonly url: string;
  readonly createdAt: number;
  /** Of a run that is over: when it ended, or later. */
  readonly updatedAt: number;
}

export type ArtifactDownload =
  | { readonly outcome: "found"; readonly text: string }
  /** No artifact of that name (yet). */
  | { readonly outcome: "missing" }
  /** Not a zip, holds other files, too large packed or unpacked, not UTF-8. */
  | { readonly outcome: "refused"; readonly reason: string };

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly appId: number | null;
  readonly externalId: string;
  readonly status: "queued" | "in_progress" | "completed" | "waiting" | "requested" | "pending";
  readonly conclusion: string | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly url: string;
}

export interface CommitStatus {
  readonly context: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly createdAt: number;
  readonly url: string | null;
}

export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly title: string;
  readonly message: string;
}

export interface CheckOutput {
  readonly name: CheckName;
  readonly sha: Sha;
  /** Names the check for a probe: unique per run, subject and try. */
  readonly externalId: string;
  readonly status: "in_progress" | "completed";
  readonly conclusion?: "success" | "failure" | "neutral" | "cancelled" | "action_required";
  readonly title: string;
  /** Markdown; cut to GitHub's 65,535 bytes by the caller. */
  readonly summary: string;
  readonly text?: string;
  /** Any number: sent in batches of 50. */
  readonly annotations: readonly Annotation[];
  readonly detailsUrl?: string;
  /** At most three; pressing one sends `check_run.requested_action` to us. */
  readonly buttons?: readonly CheckButton[];
}

export interface ReviewComment {
  readonly path: string;
  /** Line of the new file; must lie inside the diff or GitHub refuses the whole review. */
  readonly line: number;
  readonly startLine?: number;
  readonly body: string;
}

export interface RequiredCheck {
  /** The name of a check run or the context of a status. */
  readonly name: string;
  /** The App that must report it; null = anybody. */
  readonly appId: number | null;
}

export interface SharedFile {
  readonly sha: Sha;
  readonly text: string;
  /** Whether its repository is: then not everybody may read it. */
  readonly private: boolean;
}

export interface RepositoryPort {
  readonly ref: RepositoryRef;
  readonly tracker: TrackerPort;

  // reads
  loadRepository(): Promise<Repository>;
  /** Asked at the time of the command; a refusal is `none`. @throws GitHubFailure while GitHub does not say. */
  loadRole(login: string): Promise<RepositoryRole>;
  /** null when there is none (any more): deleted, or transferred to another repository. */
  loadIssue(number: number): Promise<Issue | null>;
  /** Numbers of the open issues with this label, no pull requests; `since` (ms): only those that changed later. */
  loadLabeledIssues(label: string, since?: number): Promise<readonly number[]>;
  /** Who set this label on the issue last, or null when the issue's events know of nobody. */
  loadLabeling(issue: number, label: string): Promise<Labeling | null>;
  /** All comments of an issue or pull request, oldest first; `since` in ms since the epoch. */
  loadComments(issue: number, since?: number): Promise<readonly Comment[]>;
  loadReviews(pull: number): Promise<readonly Review[]>;
  /** The branch's tip, or null when it does not exist. */
  loadBranch(branch: string): Promise<Sha | null>;
  /** Names of all branches that begin so. */
  loadBranches(prefix: string): Promise<readonly string[]>;
  loadCommit(sha: Sha): Promise<Commit>;
  /** The whole tree, or null when GitHub cut it short. */
  loadTree(sha: Sha): Promise<readonly TreeEntry[] | null>;
  /** A text file at a ref (branch or SHA), or null. @throws misconfigured when it is no file or over 1 MB. */
  loadFile(path: string, ref: string): Promise<{ readonly sha: Sha; readonly text: string } | null>;
  /**
   * A text file on the default branch of another repository of the same owner; null when file or repository is not
   * there, belongs to somebody else by now, or is not ours to see. @throws misconfigured as {@link loadFile}.
   */
  loadSharedFile(repository: string, path: string): Promise<SharedFile | null>;
  loadBlob(sha: Sha): Promise<Uint8Array>;
  loadComparison(base: Sha, head: Sha): Promise<Comparison>;
  /** The commit a merge made costs a second request; with `state` it may be null though the pull is merged. */
  loadPull(number: number, wanted?: "state"): Promise<Pull>;
  /** Pull requests of this repository with this head branch, any state, newest first. */
  loadPullsByHead(branch: string): Promise<readonly Pull[]>;
  loadOpenPulls(): Promise<readonly Pull[]>;
  loadWorkflowRun(id: number): Promise<WorkflowRun | null>;
  /** Runs of our workflow that carry this job's id, oldest first. `since` bounds the search (ms). */
  loadWorkflowRuns(job: JobId, since: number): Promise<readonly WorkflowRun[]>;
  loadArtifact(runId: number, name: string, file: string, maxBytes: number): Promise<ArtifactDownload>;
  /** Newest first per (app, name); every page; filter=all. */
  loadCheckRuns(sha: Sha): Promise<readonly CheckRun[]>;
  loadStatuses(sha: Sha): Promise<readonly CommitStatus[]>;
  /** Runs of any workflow on this commit. */
  loadRunsOfCommit(sha: Sha): Promise<readonly WorkflowRun[]>;
  /** Whether rulesets forbid creating, updating or deleting such a branch (also one that does not exist). */
  loadBranchRules(branch: string): Promise<readonly string[]>;
  /** Checks that rulesets demand before a branch may take a commit; classic branch protection is not ours to read. */
  loadRequiredChecks(branch: string): Promise<readonly RequiredCheck[]>;
  /** null when the workflow is not known on the default branch. */
  loadWorkflow(path: string): Promise<{ readonly state: string } | null>;

  // git data: idempotent by content
  createBlob(content: Uint8Array | string): Promise<Sha>;
  createTree(base: Sha | null, changes: readonly TreeChange[]): Promise<Sha>;
  createCommit(commit: {
    readonly tree: Sha;
    readonly parents: readonly Sha[];
    readonly message: string;
  }): Promise<Sha>;
  /** Already there with the same SHA is success. @throws conflict when it exists elsewhere. */
  createBranch(branch: string, sha: Sha): Promise<void>;
  /** Never forced. @throws conflict when it is no fast-forward. */
  updateBranch(branch: string, sha: Sha): Promise<void>;
  /**
   * Merges a commit into a branch with a merge commit (POST /merges). @returns the merge commit, or null
   * when the branch contains it already. @throws conflict when the two do not merge, and only then.
   */
  mergeIntoBranch(branch: string, head: Sha, message: string): Promise<Sha | null>;
  /** A branch that is gone already is success. */
  deleteBranch(branch: string): Promise<void>;

  // effects people see
  /** @returns the workflow run's id where GitHub tells it. @throws misconfigured when the workflow refuses. */
  dispatchWorkflow(dispatch: {
    readonly path: string;
    readonly ref: string;
    readonly inputs: Readonly<Record<string, string>>;
  }): Promise<number | null>;
  /** A run that is over already is success. */
  cancelRun(id: number): Promise<void>;
  createComment(issue: number, body: string): Promise<{ readonly id: number; readonly url: string }>;
  updateComment(id: number, body: string): Promise<void>;
  /** One that was deleted or transferred is closed as far as we can. */
  closeIssue(issue: number): Promise<void>;
  /** Falls back to a normal pull request where drafts are refused. */
  createPull(pull: {
    readonly head: string;
    readonly base: string;
    readonly title: string;
    readonly body: string;
    readonly draft: boolean;
  }): Promise<Pull>;
  updatePull(
    number: number,
    change: { readonly title?: string; readonly body?: string; readonly state?: "closed" },
  ): Promise<void>;
  markReady(nodeId: string): Promise<void>;
  /** A comment outside the diff makes GitHub refuse the review: then it is posted without inline comments. */
  createReview(
    pull: number,
    review: {
      readonly sha: Sha;
      readonly event: "COMMENT" | "APPROVE" | "REQUEST_CHANGES";
      readonly body: string;
      readonly comments: readonly ReviewComment[];
    },
  ): Promise<{ readonly id: number; readonly url: string }>;
  /** Takes back an approval or a request for changes. One that is dismissed or gone already is success. */
  dismissReview(pull: number, review: number, message: string): Promise<void>;
  createCheck(check: CheckOutput): Promise<{ readonly id: number; readonly url: string }>;
  updateCheck(id: number, check: CheckOutput): Promise<void>;
  /** @throws conflict when the head is not `sha` any more; terminal with the reason when policy forbids it. */
  mergePull(
    number: number,
    merge: { readonly sha: Sha; readonly method: "merge" | "squash"; readonly title: string; readonly message: string },
  ): Promise<Sha>;
}

export interface FailedDelivery {
  /** Digits: these ids may be too large for a number. */
  readonly id: string;
  readonly guid: string;
  readonly event: string;
  readonly deliveredAt: number;
}

export interface GitHubPort {
  /** Our App's id and the login its comments carry (`taskfleet[bot]`). */
  loadApp(): Promise<{ readonly id: number; readonly slug: string; readonly login: string }>;
  repository(ref: RepositoryRef): RepositoryPort;
  /** A repository by its name, with the installation that gives access to it; null when the App is not installed there. */
  loadRepositoryRef(owner: string, name: string): Promise<RepositoryRef | null>;
  /** Every repository the App is installed on and can work in: none that is archived or whose installation is suspended. */
  loadRepositoryRefs(): Promise<readonly RepositoryRef[]>;
  /** Deliveries whose newest try failed, since a time (ms), newest first. */
  loadFailedDeliveries(since: number): Promise<readonly FailedDelivery[]>;
  redeliver(id: string): Promise<void>;
  /**
   * From when GitHub's limits leave room for such a write again, as far as is known (ms); a time that has
   * passed means now. What is wanted sooner fails as transient. Absent where no limit is kept.
   */
  readonly roomAt?: (installationId: number, cost: "write" | "content") => number;
  /** Requests sent so far, for the cost figures. */
  readonly requests: { readonly total: number; readonly contentCreating: number };
}
