/** A run's state: the fold of its facts. Plain JSON, so that a snapshot is its text. */
import type { CommandName } from "../contracts/commands.ts";
import type { FailureKind } from "../contracts/errors.ts";
import type { FloorResult, Violation } from "../contracts/floor-result.ts";
import type { ChunkId, JobId, Sha } from "../contracts/ids.ts";
import type { ImplementContext, Remedy, Usage } from "../contracts/job.ts";
import type { JobSubject, PlanLens } from "../contracts/names.ts";
import type { Baseline, Plan } from "../contracts/plan.ts";
import type { LedgerEntry } from "../review/ledger.ts";
import type { ReviewResult } from "../contracts/review-result.ts";
import type { Table } from "./table.ts";
import type { AttemptStart, CiRow, DraftPlan, PlanFinding, RunOutcome, RunStarted } from "./fact.ts";

export interface JobState {
  readonly job: JobId;
  readonly subject: JobSubject;
  readonly status: "open" | "ended";
  readonly outcome: "done" | "unusable" | "external" | "lost" | "cancelled" | null;
  readonly cause: string;
  readonly runId: number | null;
  readonly url: string | null;
  /** The number of the attempt it works for; null for jobs of the run as a whole. */
  readonly attemptOf: number | null;
  /** What it was sent out for (`derivePurpose`). */
  readonly purpose: string;
  /** The agent it starts, or null. */
  readonly agent: string | null;
  readonly dispatchedAt: number;
  readonly endedAt: number | null;
  /** What ends the outside failure it ended with, where that is known. */
  readonly remedy: Remedy | null;
  readonly usage: Usage | null;
}

/**
 * What an attempt has come to:
 * implementing -> received -> committed -> floor-passed -> verified -> landed, or one of
 * unusable, external, refused, floor-failed, review-failed, conflicted, integration-failed, superseded.
 */
export type AttemptStage =
  | "implementing"
  | "received"
  | "committed"
  | "floor-passed"
  | "verified"
  | "landed"
  | "unusable"
  | "external"
  | "refused"
  | "floor-failed"
  | "review-failed"
  | "conflicted"
  | "integration-failed"
  | "superseded";

export interface AttemptState {
  readonly n: number;
  readonly planRev: number;
  readonly agent: string;
  readonly model: string;
  readonly tier: "code" | "mid" | "high";
  readonly base: Sha;
  readonly stage: AttemptStage;
  readonly job: JobId;
  readonly startedAt: number;
  /** Why it ended without a usable result. */
  readonly cause: string;
  readonly document: string | null;
  readonly files: ReadonlyArray<{ readonly path: string; readonly kind: "write" | "delete" }>;
  readonly problems: readonly Violation[];
  readonly summary: string;
  readonly head: Sha | null;
  readonly tree: Sha | null;
  readonly floor: { readonly job: JobId; readonly result: FloorResult; readonly document: string } | null;
  readonly review: { readonly job: JobId; readonly result: ReviewResult } | null;
  /** Verdicts before `review` where a failed review must be confirmed. */
  readonly opinions: ReadonlyArray<{ readonly job: JobId; readonly result: ReviewResult }>;
  readonly ledger: readonly LedgerEntry[];
  readonly context: ImplementContext | null;
  /** Reviewers whose verdict was void, and floor or review jobs that were lost: own counters. */
  readonly voidReviews: number;
  readonly lostJobs: number;
  /** How often new criteria had floor and review judge it anew. */
  readonly judging: number;
  /** On a failed candidate: what failed there. */
  readonly integration: readonly Violation[];
  readonly conflicts: readonly string[];
}

export interface ChunkState {
  readonly id: ChunkId;
  readonly attempts: readonly AttemptState[];
  /** Attempts before this index do not count as tries (another definition, or `/retry`). */
  readonly countFrom: number;
  /** How often people, or new criteria, had it go on with the attempt it had: each may need an answer again. */
  readonly freed: number;
  readonly agent: string;
  readonly pulls: ReadonlyArray<{
    readonly number: number;
    readonly url: string;
    readonly settled: "merged" | "closed" | null;
    /** We closed it, and the chunk was dropped once more: somebody may have reopened it. */
    readonly again?: true;
  }>;
  /** `verified` is false when a person merged it by hand. */
  readonly landed: {
    readonly commit: Sha;
    readonly at: number;
    readonly attempt: number;
    readonly verified: boolean;
  } | null;
  /** Why it is a person's business beside failed tries (its pull request was closed, …), or null. */
  readonly stopped: string | null;
  /** The person who implements it, and the commit their branch began at. */
  readonly taken: { readonly by: string; readonly base: Sha | null } | null;
  readonly skipped: boolean;
}

export interface PlanRevision {
  readonly rev: number;
  readonly plan: Plan;
  readonly hash: string;
  readonly commit: Sha;
  readonly draft: DraftPlan;
  readonly agents: Readonly<Record<string, string>>;
  readonly at: number;
}

export interface DraftState {
  /** Which plan job wrote it, and its number among all of the run. */
  readonly job: JobId;
  readonly round: number;
  readonly outcome: "valid" | "refused" | "unusable";
  readonly draft: DraftPlan | null;
  readonly text: string;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly verdicts: Readonly<Partial<Record<PlanLens, PlanVerdictState>>>;
  readonly voidVerdicts: Readonly<Partial<Record<PlanLens, number>>>;
}

export interface PlanVerdictState {
  readonly job: JobId;
  readonly outcome: "pass" | "fail";
  readonly findings: readonly PlanFinding[];
  readonly summary: string;
}

/** One search for a plan: the first, or one per `/replan`. */
export interface PlanningState {
  readonly n: number;
  /** The request of a `/replan`, or null for the first plan. */
  readonly request: { readonly text: string; readonly by: string; readonly comment: number } | null;
  readonly drafts: readonly DraftState[];
  readonly questions: readonly string[];
  /** Lost or external plan jobs, which are nobody's try. */
  readonly lost: readonly string[];
  readonly done: boolean;
}

export interface CandidateState {
  readonly hash: string;
  readonly commit: Sha;
  readonly tree: Sha;
  readonly base: Sha;
  readonly chunks: readonly ChunkId[];
  readonly floor: { readonly job: JobId; readonly result: FloorResult; readonly document: string } | null;
  readonly lostJobs: number;
}

export interface AcceptState {
  readonly n: number;
  readonly source: Sha;
  readonly tip: Sha;
  readonly commit: Sha;
  readonly tree: Sha;
  readonly branch: string;
  readonly floor: { readonly job: JobId; readonly result: FloorResult; readonly document: string } | null;
  readonly review: { readonly job: JobId; readonly result: ReviewResult; readonly chunks: readonly string[] } | null;
  readonly voidReviews: number;
  readonly lostJobs: number;
  readonly accepted: Sha | null;
  /** The accepted commit's tree: the verified one and what was learned. */
  readonly acceptedTree: Sha | null;
  readonly acceptedAt: number | null;
  readonly ci: { readonly state: "pass" | "fail" | "pending"; readonly rows: readonly CiRow[] } | null;
  /** Source and integration branch do not merge. */
  readonly conflict: string | null;
  /** The source branch moved past what was accepted: accept again. */
  readonly stale: Sha | null;
}

export interface CommandState {
  readonly key: string;
  readonly comment: number;
  readonly on: number;
  readonly by: string;
  readonly name: CommandName | "unknown";
  readonly args: string;
  readonly at: number;
  readonly accepted: boolean;
  /** A sentence that says what happened, shown to the person. */
  readonly answer: string;
}

/** A gate that a person has overruled, with the reason; shown in the report. */
export interface OverrideState {
  readonly gate: string;
  readonly why: string;
  readonly by: string;
  /** The chunk and attempt, the acceptance, or the search for a plan whose gate it was. */
  readonly chunk: ChunkId | null;
  readonly attempt: number | null;
  readonly accept: number | null;
  readonly planning: number | null;
  /** Of requested changes: whose request it is that does not count there. */
  readonly requests?: readonly string[];
}

export interface PendingEffect {
  /** The earliest time at which it may have happened. */
  readonly from: number;
  /** The latest time at which it may have happened, as far as anybody knows. */
  readonly at: number;
  /** A former try may have happened: only its own fact ends that doubt, never a failure of the next try. */
  readonly doubtful: boolean;
  /** What the job of the first try that may have happened was for, and what it started: that is what runs. */
  readonly purpose?: string;
  readonly attempt?: AttemptStart;
  readonly agent?: string;
}

/** Agents of one kind are refused by what they depend on, and wait for it together. */
export interface Outage {
  readonly since: number;
  /** None of them is sent out before. */
  readonly until: number;
  /** How many jobs in a row it has refused. */
  readonly refusals: number;
  /** In the last one's words. */
  readonly cause: string;
}

export interface PostedReview {
  readonly id: number;
  readonly url: string;
  /** The pull request it approves or blocks until it is dismissed; null for a comment, and once dismissed. */
  readonly standsOn: number | null;
}

/** Nothing starts or lands while it lasts; `/resume` ends it, and of some kinds an answer to what is asked. */
export interface Pause {
  readonly why: "person" | "edited" | "feature-closed" | "rebuilt" | "toolchain";
  /** Whoever commanded it, or edited; "" where nobody did or nobody is known. */
  readonly by: string;
}

export interface Spent {
  readonly agentRuns: number;
  readonly tokens: number;
  readonly usd: number;
  /** Agent jobs nobody knows anything about yet, or ever. */
  readonly unknown: number;
  /** Agent jobs whose tokens, or whose money, is not known: not every program tells both. */
  readonly unknownTokens: number;
  readonly unknownUsd: number;
  /** How long jobs have run, those of floors too; from dispatch to end, so waiting for a runner counts. */
  readonly jobMs: number;
}

export interface RunState {
  readonly seq: number;
  /** The newest fact that changes what people are shown. */
  readonly shown: number;
  readonly startedAt: number;
  /** When the newest fact was recorded. */
  readonly at: number;
  readonly run: Omit<RunStarted, "kind">;
  readonly integration: {
    readonly intake: Sha;
    readonly intentBlob: Sha;
    readonly tip: Sha;
    /** When the tip was learned of: a read shortly after may still show where it was before. */
    readonly movedAt: number;
    /** Where it was before, newest last, and when it was learned that it is not there any more. */
    readonly left: ReadonlyArray<{ readonly sha: Sha; readonly at: number }>;
  } | null;
  readonly jobs: Table<JobId, JobState>;
  /** What all jobs together have cost. */
  readonly spent: Spent;
  /** Dispatches per subject, for the next job's number. */
  readonly counts: Table<string, number>;
  /** By what the agents depend on (`formatProvider`). */
  readonly outages: Readonly<Record<string, Outage>>;
  /** Numbers up to this one may have been used by jobs nobody remembers. */
  readonly countBase: number;
  readonly baseline: {
    readonly bound: {
      readonly baseline: Baseline;
      readonly document: string;
      readonly unconfigured: readonly string[];
      /** Which renewal it belongs to; 0 = the first capture. */
      readonly renewal: number;
      readonly notes: readonly string[];
    } | null;
    readonly refused: ReadonlyArray<readonly string[]>;
    readonly lost: readonly string[];
    /** The toolchain changed under the run: the baseline is captured again before any floor runs. */
    readonly renewing: boolean;
    readonly renewals: number;
  };
  readonly planning: PlanningState;
  readonly revisions: readonly PlanRevision[];
  /** The newest revision a person or the policy approved; chunks follow it. */
  readonly approved: { readonly rev: number; readonly hash: string; readonly by: string; readonly why: string } | null;
  /** In the order of the approved plan; those it has dropped come last. */
  readonly chunks: Table<ChunkId, ChunkState>;
  /** Stored captures by integration commit: what the floor found on that very tree. */
  readonly verified: Readonly<Record<Sha, string>>;
  /** By their hash. */
  readonly candidates: Table<string, CandidateState>;
  readonly accepts: readonly AcceptState[];
  readonly featurePull: {
    readonly number: number;
    readonly nodeId: string;
    readonly url: string;
    readonly ready: boolean;
    readonly settled: "merged" | "closed" | null;
    /** What its body shows (`derivePullRevision`). */
    readonly revision: string;
  } | null;
  readonly merged: {
    readonly commit: Sha;
    readonly how: "fast-forward" | "pull" | "person";
    readonly verified: boolean;
  } | null;
  /** Effects begun and not yet known to have ended. */
  readonly pending: Readonly<Record<string, PendingEffect>>;
  readonly failures: Readonly<
    Record<
      string,
      {
        readonly count: number;
        /** How often GitHub refused it so that only people could change that. */
        readonly refusals: number;
        readonly at: number;
        readonly retryAt: number;
        readonly failure: FailureKind;
        readonly message: string;
      }
    >
  >;
  readonly comments: Readonly<Record<string, { readonly id: number; readonly url: string }>>;
  readonly status: { readonly hash: string; readonly at: number; readonly shown: number } | null;
  readonly checks: Table<string, { readonly id: number; readonly url: string; readonly revision: string }>;
  readonly reviews: Table<string, PostedReview>;
  readonly commands: readonly CommandState[];
  readonly strangers: ReadonlyArray<{ readonly login: string; readonly on: number; readonly comment: number }>;
  /** Branches that were deleted, and whether they still are: a chunk that is built again gets its branch again. */
  readonly deletedBranches: Table<string, boolean>;
  readonly closedPulls: readonly number[];
  /** How often people closed the feature's pull request, whichever it was then. */
  readonly featureClosings: number;
  /** What holds the run, at most one of a kind, the newest last; null = nothing does. */
  readonly paused: readonly Pause[] | null;
  readonly interference: { readonly what: "closed" | "unlabeled"; readonly at: number } | null;
  readonly interferences: number;
  readonly intentEdits: ReadonlyArray<{ readonly hash: string; readonly by: string; readonly writer: boolean }>;
  /** Pull request number -> logins; how often each was observed to change. */
  readonly blockers: Readonly<Record<number, { readonly logins: readonly string[]; readonly n: number }>>;
  readonly lostBranches: Readonly<Record<string, { readonly n: number; readonly lost: boolean }>>;
  /** Checkpoints that a person has passed, by chunk and landed attempt. */
  readonly passedCheckpoints: readonly string[];
  readonly overrides: readonly OverrideState[];
  /** What the accepted feature was found wanting for, and how it is mended. */
  readonly fixes: ReadonlyArray<{ readonly n: number; readonly how: "fix" | "replan" }>;
  readonly cancelled: { readonly by: string; readonly why: string } | null;
  readonly answerText: string | null;
  readonly issueClosed: boolean;
  readonly ended: RunOutcome | null;
}
