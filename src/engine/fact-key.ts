import type { Fact } from "./fact.ts";

/** Unique per run: the same happening observed twice is recorded once. */
export function formatFactKey(fact: Fact): string {
  switch (fact.kind) {
    case "RunStarted":
    case "IntegrationCreated":
    case "FeatureMerged":
    case "IssueClosed":
    case "RunEnded":
    case "FeaturePullOpened":
    case "FeatureReady":
      return fact.kind;
    case "EffectStarted":
    case "EffectFailed":
    case "EffectEnded":
      // Never the same happening twice: the recorder numbers them.
      return `${fact.kind}:${fact.effect}`;
    case "JobDispatched":
    case "JobEnded":
    case "BaselineBound":
    case "BaselineRefused":
    case "DraftReceived":
    case "DraftRefused":
    case "QuestionsAsked":
    case "AnswerGiven":
    case "PlanReviewed":
    case "ChangeSetReceived":
    case "FloorComputed":
    case "VerdictVerified":
      return `${fact.kind}:${fact.job}`;
    case "PlanCommitted":
    case "PlanApproved":
      return `${fact.kind}:${fact.rev}`;
    case "FeaturePullUpdated":
      return `${fact.kind}:${fact.revision}`;
    case "StatusUpdated":
      return `${fact.kind}:${fact.shown}`;
    case "ChangeSetCommitted":
    case "ChunkConflicted":
      return `${fact.kind}:${fact.chunk}:${fact.attempt}`;
    case "ChunkPullOpened":
      return `${fact.kind}:${fact.number}`;
    case "CheckPublished":
      return `${fact.kind}:${fact.externalId}:${fact.revision}`;
    case "ReviewPosted":
    case "ReviewDismissed":
    case "CommentPosted":
      return `${fact.kind}:${fact.key}`;
    case "CandidateCreated":
      return `${fact.kind}:${fact.hash}`;
    case "ChunksLanded":
      return `${fact.kind}:${fact.commit}`;
    case "TipMoved":
      return `${fact.kind}:${fact.sha}`;
    case "PullSettled":
    case "PullClosed":
      return `${fact.kind}:${fact.number}`;
    case "BranchDeleted":
      return `${fact.kind}:${fact.branch}`;
    case "AcceptCreated":
    case "AcceptConflicted":
    case "AcceptCommitted":
    case "SourceMoved":
      return `${fact.kind}:${fact.n}`;
    case "CiGathered":
      return `${fact.kind}:${fact.n}:${fact.state}:${fact.rows.map((row) => `${row.name}=${row.state}`).join(",")}`;
    case "CommandReceived":
      return `${fact.kind}:${fact.comment}:${fact.line}`;
    case "StrangerRefused":
      return `${fact.kind}:${fact.comment}`;
    case "IssueInterfered":
    case "IssueRestored":
    case "FixRequested":
      return `${fact.kind}:${fact.n}`;
    case "RunCancelled":
    case "RunRebuilt":
      return fact.kind;
    case "IntentEdited":
      // Whose edit it was may be learned later.
      return `${fact.kind}:${fact.hash}${fact.writer ? ":writer" : ""}`;
    case "ReviewsObserved":
      return `${fact.kind}:${fact.pull}:${fact.n}`;
    case "BranchLost":
    case "BranchRestored":
      return `${fact.kind}:${fact.branch}:${fact.n}`;
    case "TakePrepared":
      return `${fact.kind}:${fact.chunk}:${fact.n}`;
    case "PersonPushed":
      return `${fact.kind}:${fact.head}`;
  }
}
