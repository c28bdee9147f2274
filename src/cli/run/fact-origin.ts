/** Which facts say what an action of ours brought about, and by which action: the rest is what was seen. */
import { isDeepStrictEqual } from "node:util";
import type { JobId, RunKey } from "../../contracts/ids.ts";
import { formatJobId } from "../../contracts/names.ts";
import type { Action } from "../../engine/action.ts";
import { formatDispatchEffect } from "../../engine/derive/doubtful-jobs.ts";
import type { Fact } from "../../engine/fact.ts";
import type { WorkOf } from "../../fleet/apply/work-of.ts";

/** Whether an action is one that leads to the fact; null for a fact that nobody has to ask for. */
export type Origin = ((action: Action) => boolean) | null;

/** A newer version of the App may record what this one has no name for. */
export function isKnownKind(fact: Fact): boolean {
  const origin: Origin | undefined = deriveOrigin(fact, "0-x" as RunKey);
  return origin !== undefined;
}

/** @param run whose fact it is. */
export function deriveOrigin(fact: Fact, run: RunKey): Origin {
  switch (fact.kind) {
    case "RunStarted":
    case "RunRebuilt":
    case "BaselineBound":
    case "BaselineRefused":
    case "PlanReviewed":
    case "ChangeSetReceived":
    case "FloorComputed":
    case "VerdictVerified":
    case "TipMoved":
    case "PullSettled":
    case "CiGathered":
    case "CommandReceived":
    case "StrangerRefused":
    case "IssueInterfered":
    case "IssueRestored":
    case "IntentEdited":
    case "ReviewsObserved":
    case "BranchLost":
    case "PersonPushed":
      return null;
    case "DraftReceived":
    case "DraftRefused":
    case "QuestionsAsked":
    case "AnswerGiven":
      return isGivenPlan(fact.job, run) ? by("ReadGivenPlan") : null;
    case "IntegrationCreated":
      return by("CreateIntegration");
    case "EffectStarted":
      return (action) => action.key === fact.effect && (fact.purpose === undefined || isFor(action, fact.purpose));
    case "EffectFailed":
      return (action) => action.key === fact.effect;
    case "EffectEnded":
      return (action) => action.key === fact.effect || stops(action, fact.effect);
    case "JobDispatched":
      return (action) =>
        stops(action, fact.effect) ||
        (action.kind === "DispatchJob" &&
          action.key === fact.effect &&
          action.dispatch.job === fact.job &&
          action.dispatch.attemptOf === fact.attemptOf &&
          isDeepStrictEqual(action.dispatch.attempt, fact.attempt));
    case "JobEnded":
      return fact.outcome === "cancelled" ? by("CancelJob", ({ job }) => job === fact.job) : null;
    case "PlanCommitted":
      return by("CommitPlan", ({ rev }) => rev === fact.rev);
    case "PlanApproved":
      return by("ApprovePlan", ({ rev, hash }) => rev === fact.rev && hash === fact.hash);
    case "FeaturePullOpened":
      return by("OpenFeaturePull", ({ key }) => key === fact.effect);
    case "FeaturePullUpdated":
      return by("UpdateFeaturePull");
    case "ChangeSetCommitted":
      return by("CommitChangeSet", ({ chunk, attempt }) => chunk === fact.chunk && attempt === fact.attempt);
    case "ChunkPullOpened":
      return by("OpenChunkPull", ({ key, chunk }) => key === fact.effect && chunk === fact.chunk);
    case "CheckPublished":
      return by(
        "PublishCheck",
        ({ key, externalId, revision }) =>
          key === fact.effect && externalId === fact.externalId && revision === fact.revision,
      );
    case "ReviewPosted":
      return by("PostReview", ({ key }) => key === fact.effect);
    case "ReviewDismissed":
      return by("DismissReview", ({ review }) => review === fact.key);
    case "CandidateCreated":
      return by(
        "CreateCandidate",
        ({ hash, tip, chunks }) => hash === fact.hash && tip === fact.base && isDeepStrictEqual(chunks, fact.chunks),
      );
    case "ChunkConflicted":
      return by("CreateCandidate", ({ chunks }) => chunks.includes(fact.chunk));
    case "ChunksLanded":
      return by(
        "LandChunks",
        ({ chunks, via, document }) =>
          isDeepStrictEqual(chunks, fact.chunks) && via === fact.via && document === fact.document,
      );
    case "PullClosed":
      return by("ClosePull", ({ key, number }) => key === fact.effect && number === fact.number);
    case "BranchDeleted":
      return by("DeleteBranch", ({ branch }) => branch === fact.branch);
    case "BranchRestored":
      return by("RestoreBranch", ({ branch, n }) => branch === fact.branch && n === fact.n);
    case "AcceptCreated":
      return by("CreateAccept", ({ n, tip }) => n === fact.n && tip === fact.tip);
    case "AcceptConflicted":
      return by("CreateAccept", ({ n }) => n === fact.n);
    case "AcceptCommitted":
      return by("CommitAccept", ({ n }) => n === fact.n);
    case "FeatureReady":
      return by("MarkReady", ({ key }) => key === fact.effect);
    case "SourceMoved":
      return by("MergeFeature", ({ n }) => n === fact.n);
    case "FeatureMerged": {
      const { how } = fact;
      if (how === "person") return null;
      // By a pull request GitHub makes a commit of its own.
      return by("MergeFeature", ({ commit }) => how === "pull" || commit === fact.commit);
    }
    case "CommentPosted":
      return by("PostComment", ({ key, marker }) => key === fact.effect && marker === fact.key);
    case "StatusUpdated":
      return by("RefreshStatus");
    case "IssueClosed":
      return by("CloseIssue");
    case "RunCancelled":
      return by("CancelRun");
    case "TakePrepared":
      return by("PrepareTake", ({ chunk, base, n }) => chunk === fact.chunk && base === fact.base && n === fact.n);
    case "FixRequested":
      return by("RequestFix", ({ n, how }) => n === fact.n && how === fact.how);
    case "RunEnded":
      return by("EndRun", ({ outcome }) => outcome === fact.outcome);
  }
}

function by<Kind extends Action["kind"]>(
  kind: Kind,
  matches: (action: WorkOf<Kind>) => boolean = () => true,
): (action: Action) => boolean {
  return (action) => action.kind === kind && matches(action as WorkOf<Kind>);
}

/** A job that may have been sent out is looked for before it is stopped: it becomes known, or has never begun. */
function stops(action: Action, effect: string): boolean {
  return action.kind === "CancelJob" && formatDispatchEffect(action.job) === effect;
}

function isFor(action: Action, purpose: string): boolean {
  return action.kind === "DispatchJob" && action.dispatch.purpose === purpose;
}

/** The plan a run was begun with is read as if planner 0 had sent it. */
function isGivenPlan(job: JobId, run: RunKey): boolean {
  return job === formatJobId(run, { role: "plan", n: 0 });
}
