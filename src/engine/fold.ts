/** `fold(state, fact) -> state`: pure, total, and the only place where state changes. */
import type { Fact, RecordedFact, RunStarted } from "./fact.ts";
import { foldAccept } from "./fold/fold-accept.ts";
import { foldChunk } from "./fold/fold-chunk.ts";
import { foldCommand } from "./fold/fold-command.ts";
import { foldEffect } from "./fold/fold-effect.ts";
import { foldJob } from "./fold/fold-job.ts";
import { foldLanding } from "./fold/fold-landing.ts";
import { foldPeople } from "./fold/fold-people.ts";
import { foldPlan, startPlanning } from "./fold/fold-plan.ts";
import { pause } from "./fold/pause.ts";
import { NOTHING_SPENT } from "./derive/spent.ts";
import type { RunState } from "./state.ts";
import { buildTable } from "./table.ts";

/** @throws Error when the first fact is no RunStarted: a run without a beginning is a bug. */
export function fold(state: RunState | null, recorded: RecordedFact): RunState {
  const { fact, at, seq } = recorded;
  if (state === null) {
    if (fact.kind !== "RunStarted") throw new Error(`a run begins with RunStarted, not ${fact.kind}`);
    return buildInitialState(fact, at, seq);
  }
  const shown = changesSurface(fact) ? seq : state.shown;
  return { ...foldFact(state, recorded), seq, shown, at };
}

/** Facts about what is shown are not shown themselves. */
function changesSurface(fact: Fact): boolean {
  switch (fact.kind) {
    case "StatusUpdated":
    case "FeaturePullUpdated":
    case "EffectStarted":
    case "CheckPublished":
    case "BranchDeleted":
      return false;
    case "CommentPosted":
      // The status links to questions.
      return fact.key.startsWith("need:") || fact.key.startsWith("approval:");
    default:
      return true;
  }
}

export function foldAll(facts: readonly RecordedFact[], from: RunState | null = null): RunState | null {
  let state = from;
  for (const fact of facts) state = fold(state, fact);
  return state;
}

function foldFact(state: RunState, recorded: RecordedFact): RunState {
  const { fact, at } = recorded;
  switch (fact.kind) {
    case "RunStarted":
      return state;
    case "IntegrationCreated":
      return {
        ...state,
        integration: { intake: fact.commit, intentBlob: fact.intentBlob, tip: fact.commit, movedAt: at, left: [] },
      };
    case "EffectStarted":
    case "EffectFailed":
    case "EffectEnded":
    case "FeaturePullOpened":
    case "FeaturePullUpdated":
    case "CheckPublished":
    case "ReviewPosted":
    case "ReviewDismissed":
    case "CommentPosted":
    case "StatusUpdated":
    case "PullClosed":
    case "BranchDeleted":
      return foldEffect(state, fact, at);
    case "JobDispatched":
    case "JobEnded":
      return foldJob(state, fact, at);
    case "BaselineBound":
    case "BaselineRefused":
    case "DraftReceived":
    case "DraftRefused":
    case "QuestionsAsked":
    case "AnswerGiven":
    case "PlanReviewed":
    case "PlanCommitted":
    case "PlanApproved":
      return foldPlan(state, fact, at);
    case "ChangeSetReceived":
    case "ChangeSetCommitted":
    case "ChunkPullOpened":
    case "FloorComputed":
    case "VerdictVerified":
    case "ChunkConflicted":
      return foldChunk(state, fact);
    case "CandidateCreated":
    case "ChunksLanded":
    case "TipMoved":
    case "PullSettled":
      return foldLanding(state, fact, at);
    case "AcceptCreated":
    case "AcceptConflicted":
    case "AcceptCommitted":
    case "CiGathered":
    case "FeatureReady":
    case "SourceMoved":
    case "FeatureMerged":
      return foldAccept(state, fact, at);
    case "CommandReceived":
      return foldCommand(state, fact, at);
    case "StrangerRefused":
      return { ...state, strangers: [...state.strangers, { login: fact.login, on: fact.on, comment: fact.comment }] };
    case "IssueInterfered":
    case "IssueRestored":
    case "RunCancelled":
    case "IntentEdited":
    case "ReviewsObserved":
    case "BranchLost":
    case "BranchRestored":
    case "TakePrepared":
    case "PersonPushed":
      return foldPeople(state, fact, at);
    case "RunRebuilt":
      return pause({ ...state, countBase: Math.max(state.countBase, fact.countBase) }, { why: "rebuilt", by: "" });
    case "FixRequested":
      return {
        ...startPlanning(state, { text: fact.text, by: "", comment: 0 }),
        fixes: [...state.fixes, { n: fact.n, how: fact.how }],
      };
    case "IssueClosed":
      return { ...state, issueClosed: true };
    case "RunEnded":
      return { ...state, ended: fact.outcome };
  }
}

function buildInitialState(fact: RunStarted, at: number, seq: number): RunState {
  const { kind: _, ...run } = fact;
  return {
    seq,
    shown: seq,
    startedAt: at,
    at,
    run,
    integration: null,
    jobs: buildTable(),
    spent: NOTHING_SPENT,
    counts: buildTable(),
    outages: {},
    countBase: 0,
    baseline: { bound: null, refused: [], lost: [], renewing: false, renewals: 0 },
    planning: { n: 1, request: null, drafts: [], questions: [], lost: [], done: false },
    revisions: [],
    approved: null,
    chunks: buildTable(),
    verified: {},
    candidates: buildTable(),
    accepts: [],
    featurePull: null,
    merged: null,
    pending: {},
    failures: {},
    comments: {},
    status: null,
    checks: buildTable(),
    reviews: buildTable(),
    commands: [],
    strangers: [],
    deletedBranches: buildTable(),
    closedPulls: [],
    featureClosings: 0,
    paused: null,
    interference: null,
    interferences: 0,
    intentEdits: [],
    blockers: {},
    lostBranches: {},
    passedCheckpoints: [],
    overrides: [],
    fixes: [],
    cancelled: null,
    answerText: null,
    issueClosed: false,
    ended: null,
  };
}
