/**
 * Facts: what happened, recorded once. They are the only memory of a run: its state is their fold,
 * so a fact holds all that later decisions need and nothing that can be derived.
 */
import type { CommandName } from "../contracts/commands.ts";
import type { Config } from "../contracts/config.ts";
import type { FailureKind } from "../contracts/errors.ts";
import type { FloorResult, Violation } from "../contracts/floor-result.ts";
import type { ChunkId, JobId, RunId, RunKey, Sha } from "../contracts/ids.ts";
import type { ImplementContext, Remedy, Usage } from "../contracts/job.ts";
import type { JobSubject, PlanLens } from "../contracts/names.ts";
import type { PlanDraft } from "../contracts/plan-draft.ts";
import type { Baseline, Plan } from "../contracts/plan.ts";
import type { ReviewResult } from "../contracts/review-result.ts";
import type { LedgerEntry } from "../review/ledger.ts";

/** A plan draft that is a plan (neither questions nor an answer). */
export type DraftPlan = Extract<PlanDraft, { kind: "plan" }>;

export type FloorSubject =
  | { readonly kind: "attempt"; readonly chunk: ChunkId; readonly attempt: number }
  | { readonly kind: "candidate"; readonly hash: string }
  | { readonly kind: "accept"; readonly n: number };

export interface PlanFinding {
  readonly severity: "blocking" | "warning";
  readonly chunk: string;
  readonly title: string;
  readonly evidence: string;
}

export interface CiRow {
  readonly name: string;
  readonly state: "pass" | "fail" | "pending" | "ignored";
  readonly detail: string;
  readonly url: string;
}

export interface RunStarted {
  readonly kind: "RunStarted";
  readonly run: RunKey;
  readonly runId: RunId;
  readonly repository: { readonly id: number; readonly owner: string; readonly name: string; readonly url: string };
  readonly issue: number;
  readonly title: string;
  readonly actor: string;
  /** The branch the feature lands on, and its head when the run began. */
  readonly source: string;
  readonly fork: Sha;
  readonly defaultBranch: string;
  /** The default branch's head the configuration was read from. */
  readonly tools: Sha;
  readonly config: Config;
  /** The file jobs read it from; null = all defaults. */
  readonly configBlob: Sha | null;
  /** Its text where it is no file of the repository but made of several: committed with the run's evidence. */
  readonly configText?: string;
  /** The sanitised issue text: the intent's first revision. */
  readonly intent: string;
  /** Open runs, pull requests and issues that touch the same ground, for the planner and for people. */
  readonly related: ReadonlyArray<{ readonly number: number; readonly title: string; readonly url: string }>;
  /** A first plan that no planner wrote; absent = the planner is asked. */
  readonly given?: GivenPlan;
}

export interface GivenPlan {
  readonly source: "issue" | "file";
  /** A draft as JSON text, not yet judged. */
  readonly text: string;
  /** Who wrote it, and whether they had write access when the run began. */
  readonly by: string;
  readonly writer: boolean;
}

export type Fact =
  | RunStarted
  | { readonly kind: "IntegrationCreated"; readonly commit: Sha; readonly intentBlob: Sha }
  /** Written before an effect that a crash could double; the effect's own fact ends it. */
  | {
      readonly kind: "EffectStarted";
      readonly effect: string;
      /** A job's: what it is for. */
      readonly purpose?: string;
      /** A job's that starts an attempt: the attempt. */
      readonly attempt?: AttemptStart;
      /** A job's that starts an agent: the agent. */
      readonly agent?: string;
    }
  /** One that had failed has succeeded, where its own fact does not say so; or one in doubt has never happened. */
  | { readonly kind: "EffectEnded"; readonly effect: string }
  | {
      readonly kind: "EffectFailed";
      readonly effect: string;
      readonly failure: FailureKind;
      readonly message: string;
      /** The effect may have happened: probe before the next try. */
      readonly ambiguous: boolean;
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: "JobDispatched";
      readonly effect: string;
      readonly job: JobId;
      readonly subject: JobSubject;
      readonly runId: number | null;
      readonly url: string | null;
      /** implement only. */
      readonly attempt: AttemptStart | null;
      /** The number of the attempt this job works for; null for jobs of the run as a whole. */
      readonly attemptOf: number | null;
      /** What the run needed it for when it was sent out; a store of an earlier version has none. */
      readonly purpose?: string;
      /** Which agent it started; absent where it starts none. */
      readonly agent?: string;
    }
  | {
      readonly kind: "JobEnded";
      readonly job: JobId;
      /** done: its own fact follows; lost: it never ran, or ended without a usable artifact. */
      readonly outcome: "done" | "unusable" | "external" | "lost" | "cancelled";
      readonly cause: string;
      readonly usage: Usage | null;
      /** What ends an outside failure, where the job knows. */
      readonly remedy?: Remedy;
      /** The prompt files an agent was given and their versions; absent where there was no prompt. */
      readonly promptVersion?: string;
      readonly runId: number | null;
      readonly url: string | null;
    }
  | {
      readonly kind: "BaselineBound";
      readonly job: JobId;
      readonly baseline: Baseline;
      /** Name of the stored captures. */
      readonly document: string;
      /** Gates the repository gives nothing for, which force a person's approval. */
      readonly unconfigured: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly kind: "BaselineRefused"; readonly job: JobId; readonly problems: readonly string[] }
  | {
      readonly kind: "DraftReceived";
      readonly job: JobId;
      readonly draft: DraftPlan;
      readonly warnings: readonly string[];
    }
  | { readonly kind: "DraftRefused"; readonly job: JobId; readonly text: string; readonly problems: readonly string[] }
  | { readonly kind: "QuestionsAsked"; readonly job: JobId; readonly questions: readonly string[] }
  | { readonly kind: "AnswerGiven"; readonly job: JobId; readonly text: string }
  | {
      readonly kind: "PlanReviewed";
      readonly job: JobId;
      readonly lens: PlanLens;
      readonly outcome: "pass" | "fail" | "void";
      readonly findings: readonly PlanFinding[];
      readonly summary: string;
    }
  | {
      readonly kind: "PlanCommitted";
      readonly rev: number;
      readonly plan: Plan;
      readonly hash: string;
      readonly commit: Sha;
      readonly draft: DraftPlan;
      readonly agents: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "FeaturePullOpened";
      readonly effect: string;
      readonly number: number;
      readonly nodeId: string;
      readonly url: string;
    }
  | { readonly kind: "FeaturePullUpdated"; readonly revision: string }
  /** `effect` names the approval by policy; a person's approval is a command. */
  | {
      readonly kind: "PlanApproved";
      readonly rev: number;
      readonly hash: string;
      readonly by: "policy";
      readonly why: string;
    }
  | {
      readonly kind: "ChangeSetReceived";
      readonly job: JobId;
      readonly chunk: ChunkId;
      readonly attempt: number;
      readonly document: string;
      readonly files: ReadonlyArray<{ readonly path: string; readonly kind: "write" | "delete" }>;
      /** Non-empty: refused before any commit. */
      readonly problems: readonly Violation[];
      readonly summary: string;
      /** What the implementer says later ones should know: a claim. */
      readonly context: ImplementContext | null;
    }
  | {
      readonly kind: "ChangeSetCommitted";
      readonly chunk: ChunkId;
      readonly attempt: number;
      readonly head: Sha;
      readonly tree: Sha;
    }
  | {
      readonly kind: "ChunkPullOpened";
      readonly effect: string;
      readonly chunk: ChunkId;
      readonly number: number;
      readonly url: string;
    }
  | {
      readonly kind: "FloorComputed";
      readonly job: JobId;
      readonly subject: FloorSubject;
      readonly commit: Sha;
      readonly result: FloorResult;
      readonly document: string;
    }
  | {
      readonly kind: "VerdictVerified";
      readonly job: JobId;
      readonly subject:
        | { readonly kind: "attempt"; readonly chunk: ChunkId; readonly attempt: number }
        | { readonly kind: "accept"; readonly n: number };
      readonly commit: Sha;
      readonly result: ReviewResult;
      readonly chunks: readonly string[];
      /** What each finding is in the history of the chunk's reviews; empty for a first review. */
      readonly ledger: readonly LedgerEntry[];
    }
  | {
      readonly kind: "CheckPublished";
      readonly effect: string;
      readonly externalId: string;
      readonly id: number;
      readonly url: string;
      readonly revision: string;
    }
  | {
      readonly kind: "ReviewPosted";
      readonly effect: string;
      readonly key: string;
      readonly id: number;
      readonly url: string;
      /** The pull request it approves or blocks until it is dismissed; absent for a comment. */
      readonly standsOn?: number;
    }
  | { readonly kind: "ReviewDismissed"; readonly key: string }
  | {
      readonly kind: "CandidateCreated";
      readonly hash: string;
      readonly commit: Sha;
      readonly tree: Sha;
      readonly base: Sha;
      readonly chunks: readonly ChunkId[];
    }
  | {
      readonly kind: "ChunkConflicted";
      readonly chunk: ChunkId;
      readonly attempt: number;
      readonly paths: readonly string[];
    }
  | {
      readonly kind: "ChunksLanded";
      readonly chunks: readonly ChunkId[];
      readonly commit: Sha;
      readonly tree: Sha;
      /** The verified captures of this tree. */
      readonly document: string;
      readonly via: "direct" | "candidate";
    }
  /** Somebody else moved the integration branch. */
  | { readonly kind: "TipMoved"; readonly sha: Sha }
  | {
      readonly kind: "PullSettled";
      readonly number: number;
      readonly outcome: "merged" | "closed";
      /** GitHub calls it merged, and the integration branch does not hold it: it went elsewhere, or was removed again. */
      readonly lost?: "elsewhere" | "removed";
    }
  | { readonly kind: "PullClosed"; readonly effect: string; readonly number: number }
  | { readonly kind: "BranchDeleted"; readonly branch: string }
  | {
      readonly kind: "AcceptCreated";
      readonly n: number;
      readonly source: Sha;
      readonly tip: Sha;
      readonly commit: Sha;
      readonly tree: Sha;
      readonly branch: string;
    }
  | { readonly kind: "AcceptConflicted"; readonly n: number; readonly source: Sha; readonly message: string }
  | { readonly kind: "AcceptCommitted"; readonly n: number; readonly commit: Sha; readonly tree: Sha }
  | {
      readonly kind: "CiGathered";
      readonly n: number;
      readonly commit: Sha;
      readonly state: "pass" | "fail" | "pending";
      readonly rows: readonly CiRow[];
    }
  | { readonly kind: "FeatureReady"; readonly effect: string }
  | { readonly kind: "SourceMoved"; readonly n: number; readonly sha: Sha }
  | {
      readonly kind: "FeatureMerged";
      readonly commit: Sha;
      readonly how: "fast-forward" | "pull" | "person";
      readonly verified: boolean;
    }
  | {
      readonly kind: "CommandReceived";
      readonly comment: number;
      /** Position within the comment, from 0. */
      readonly line: number;
      /** The issue or pull request it was written on. */
      readonly on: number;
      readonly by: string;
      readonly name: CommandName | "unknown";
      readonly args: string;
    }
  | {
      readonly kind: "StrangerRefused";
      readonly login: string;
      readonly on: number;
      readonly comment: number;
    }
  | {
      readonly kind: "CommentPosted";
      readonly effect: string;
      readonly key: string;
      readonly id: number;
      readonly url: string;
    }
  /** `shown`: the newest fact its text covers. */
  | { readonly kind: "StatusUpdated"; readonly hash: string; readonly shown: number }
  | { readonly kind: "IssueClosed" }
  /** The issue was closed or its label removed: the run is cancelled unless that is undone soon. `n` counts them. */
  | { readonly kind: "IssueInterfered"; readonly n: number; readonly what: "closed" | "unlabeled" }
  | { readonly kind: "IssueRestored"; readonly n: number }
  | { readonly kind: "RunCancelled"; readonly why: string }
  /** The issue's text is not the intent any more. By a writer the run pauses; by others it is a note. */
  | { readonly kind: "IntentEdited"; readonly hash: string; readonly by: string; readonly writer: boolean }
  /** Writers whose standing CHANGES_REQUESTED stops the landing of a pull request. */
  | {
      readonly kind: "ReviewsObserved";
      readonly pull: number;
      readonly blockers: readonly string[];
      readonly n: number;
    }
  | { readonly kind: "BranchLost"; readonly branch: string; readonly n: number }
  | { readonly kind: "BranchRestored"; readonly branch: string; readonly n: number }
  /** A chunk that a person implements has its branch, at this commit. */
  | { readonly kind: "TakePrepared"; readonly chunk: ChunkId; readonly base: Sha; readonly n: number }
  /** Somebody pushed to a chunk's branch: their head is an attempt like any other, and no more trusted. */
  | {
      readonly kind: "PersonPushed";
      readonly chunk: ChunkId;
      readonly attempt: number;
      readonly by: string;
      readonly base: Sha;
      readonly head: Sha;
      readonly tree: Sha;
      readonly files: ReadonlyArray<{ readonly path: string; readonly kind: "write" | "delete" }>;
      readonly problems: readonly Violation[];
    }
  /** The store was lost and this run was read back from GitHub: what is not there is not known. */
  | { readonly kind: "RunRebuilt"; readonly countBase: number }
  /** The accepted feature was found wanting: a revision that mends it is asked for. */
  | { readonly kind: "FixRequested"; readonly n: number; readonly how: "fix" | "replan"; readonly text: string }
  | { readonly kind: "RunEnded"; readonly outcome: RunOutcome };

export type RunOutcome = "merged" | "cancelled" | "failed" | "answered";

export interface AttemptStart {
  readonly chunk: ChunkId;
  readonly n: number;
  readonly planRev: number;
  readonly agent: string;
  readonly model: string;
  readonly tier: "code" | "mid" | "high";
  /** The integration tip it works on. */
  readonly base: Sha;
}

/** A fact with its moment and its place in the run. */
export interface RecordedFact {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly fact: Fact;
}
