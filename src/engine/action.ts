/**
 * Actions: what the engine wants done, as data. Each names one effect on GitHub by a deterministic
 * key and says why; the shell carries it out and records what came of it.
 */
import type { ChunkId, JobId, Sha } from "../contracts/ids.ts";
import type { JobFeedback, JobRequest } from "../contracts/job.ts";
import type { CheckName, JobSubject } from "../contracts/names.ts";
import type { AttemptStart, RunOutcome } from "./fact.ts";

/** Landings before dispatch before what only informs. */
export type Priority = "landing" | "dispatch" | "cosmetic";

/** A text as the engine knows it; the shell turns it into a git blob's name. */
export type DocumentText =
  | { readonly kind: "blob"; readonly sha: Sha }
  /** Committed already: only its name is needed. */
  | { readonly kind: "committed"; readonly text: string }
  /** Not in the repository: uploaded as a blob first. */
  | { readonly kind: "text"; readonly text: string };

export interface JobDocuments {
  readonly config: DocumentText | null;
  readonly intent: DocumentText | null;
  readonly plan: DocumentText | null;
  readonly feedback: JobFeedback | null;
}

export interface Dispatch {
  readonly job: JobId;
  readonly subject: JobSubject;
  /** The branch the workflow run starts on. */
  readonly branch: string;
  /** The branch is created here when it does not exist. */
  readonly branchAt: Sha | null;
  readonly request: Omit<JobRequest, "documents">;
  readonly documents: JobDocuments;
  readonly attempt: AttemptStart | null;
  readonly attemptOf: number | null;
  /** What the job is for (`derivePurpose`). */
  readonly purpose: string;
}

/** What a check run shows; the shell renders it from the state. */
export type CheckSubject =
  | { readonly kind: "plan"; readonly rev: number }
  | { readonly kind: "floor"; readonly chunk: ChunkId; readonly attempt: number }
  | { readonly kind: "review"; readonly chunk: ChunkId; readonly attempt: number }
  | { readonly kind: "candidate"; readonly hash: string }
  | { readonly kind: "accept"; readonly n: number }
  | { readonly kind: "run" };

export type CommentSubject =
  | { readonly kind: "status" }
  | { readonly kind: "approval"; readonly rev: number }
  | { readonly kind: "answer"; readonly command: string }
  | { readonly kind: "need"; readonly need: string }
  | { readonly kind: "stranger"; readonly login: string }
  /** Why the pull request it stands on is closed without landing: the plan revision, or people, dropped it. */
  | {
      readonly kind: "closed";
      readonly chunk: ChunkId;
      readonly rev: number | null;
      /** Another pull request of the chunk, which somebody merged by hand; absent = it was dropped. */
      readonly merged?: number;
      /** The feature's pull request, or null, where the feature was merged without the chunk; absent = it was not. */
      readonly feature?: number | null;
    }
  | { readonly kind: "direct-answer" }
  | { readonly kind: "report" };

/** The key of every edit of the status comment. */
export const STATUS_EFFECT = "status";

interface ActionBase {
  /** Deterministic name of the effect, unique in the run. */
  readonly key: string;
  /** One sentence, shown in the log, the status comment and check summaries alike. */
  readonly reason: string;
  readonly priority: Priority;
  /** A former try may have happened although nothing says so: look before doing it again. */
  readonly probe: boolean;
}

export type ActionWork =
  | { readonly kind: "CreateIntegration" }
  | { readonly kind: "DispatchJob"; readonly dispatch: Dispatch }
  | { readonly kind: "CancelJob"; readonly job: JobId; readonly runId: number | null }
  /** Judge the plan the run was begun with, as a planner's. */
  | { readonly kind: "ReadGivenPlan" }
  | { readonly kind: "CommitPlan"; readonly rev: number }
  | { readonly kind: "OpenFeaturePull" }
  | { readonly kind: "UpdateFeaturePull" }
  | { readonly kind: "ApprovePlan"; readonly rev: number; readonly hash: string; readonly why: string }
  | { readonly kind: "CommitChangeSet"; readonly chunk: ChunkId; readonly attempt: number }
  | { readonly kind: "OpenChunkPull"; readonly chunk: ChunkId; readonly attempt: number }
  | {
      readonly kind: "PublishCheck";
      readonly name: CheckName;
      readonly sha: Sha;
      readonly externalId: string;
      readonly subject: CheckSubject;
      /** Changes whenever the shown content does. */
      readonly revision: string;
    }
  | {
      readonly kind: "PostReview";
      readonly chunk: ChunkId;
      readonly attempt: number;
      readonly pull: number;
      readonly sha: Sha;
    }
  /** An approval, or a request for changes, that says nothing any more about what the pull request holds. */
  | {
      readonly kind: "DismissReview";
      /** Names the review (`formatReviewKey`). */
      readonly review: string;
      readonly pull: number;
      readonly id: number;
      readonly why: string;
    }
  | { readonly kind: "CreateCandidate"; readonly chunks: readonly ChunkId[]; readonly hash: string; readonly tip: Sha }
  | {
      readonly kind: "LandChunks";
      readonly chunks: readonly ChunkId[];
      readonly tip: Sha;
      /** The verified commit: a chunk's head or a candidate. */
      readonly verified: Sha;
      readonly document: string;
      readonly via: "direct" | "candidate";
    }
  | { readonly kind: "CreateAccept"; readonly n: number; readonly tip: Sha }
  | { readonly kind: "CommitAccept"; readonly n: number }
  | { readonly kind: "RequestFix"; readonly n: number; readonly how: "fix" | "replan"; readonly text: string }
  | { readonly kind: "PrepareTake"; readonly chunk: ChunkId; readonly base: Sha; readonly n: number }
  | { readonly kind: "RestoreBranch"; readonly branch: string; readonly sha: Sha; readonly n: number }
  | { readonly kind: "CancelRun"; readonly why: string }
  | { readonly kind: "MarkReady" }
  | { readonly kind: "MergeFeature"; readonly n: number; readonly commit: Sha }
  | { readonly kind: "PostComment"; readonly on: number; readonly marker: string; readonly subject: CommentSubject }
  | { readonly kind: "RefreshStatus" }
  | { readonly kind: "ClosePull"; readonly number: number; readonly why: string }
  | { readonly kind: "DeleteBranch"; readonly branch: string }
  | { readonly kind: "CloseIssue" }
  | { readonly kind: "EndRun"; readonly outcome: RunOutcome };

export type Action = ActionBase & ActionWork;

/** Something the run waits for, in words for people and with a time when the engine looks again. */
export interface Wait {
  readonly subject: string;
  /** Which chunks stand still for it; absent = none, or the run as a whole. */
  readonly chunks?: readonly ChunkId[];
  readonly what: string;
  /** Milliseconds since the epoch; null = it has no deadline of its own. What waits for a person is asked visibly. */
  readonly until: number | null;
  /** What ends it, as it follows "until". */
  readonly unblock: string;
}

export interface Decision {
  readonly actions: readonly Action[];
  readonly waits: readonly Wait[];
  /** When to decide again even if nothing happens; null = only when something happens. */
  readonly wakeAt: number | null;
}
