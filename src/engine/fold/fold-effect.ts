import type { FailureKind } from "../../contracts/errors.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import { STATUS_EFFECT } from "../action.ts";
import type { Fact } from "../fact.ts";
import type { PendingEffect, RunState } from "../state.ts";
import { changeChunk } from "./change.ts";
import { omit } from "./omit.ts";
import { findRow, putRow } from "../table.ts";

type EffectFact = Extract<
  Fact,
  {
    kind:
      | "EffectStarted"
      | "EffectFailed"
      | "EffectEnded"
      | "FeaturePullOpened"
      | "FeaturePullUpdated"
      | "CheckPublished"
      | "ReviewPosted"
      | "ReviewDismissed"
      | "CommentPosted"
      | "StatusUpdated"
      | "PullClosed"
      | "BranchDeleted";
  }
>;

/** The first retry comes after this many milliseconds, then doubled up to the last value. */
const FIRST_BACKOFF = 2_000;
const LAST_BACKOFF = 10 * 60_000;
/**
 * A first refusal may come of a replica that lags behind, whatever it says: it is asked again once they all agree.
 * What only a person or an owner can change is asked again rarely then.
 */
const FIRST_REFUSAL_BACKOFF = 3 * 60_000;
const PERSON_BACKOFF = 30 * 60_000;

/** A process that dies may have sent its last request this long after it noted the effect's beginning. */
const ACTION_MS = 30_000;

export function foldEffect(state: RunState, fact: EffectFact, at: number): RunState {
  switch (fact.kind) {
    case "EffectStarted":
      return { ...state, pending: { ...state.pending, [fact.effect]: beginEffect(state, fact, at) } };
    case "EffectFailed": {
      const { failure, message } = fact;
      const former = state.failures[fact.effect];
      const count = (former?.count ?? 0) + 1;
      const refusals = (former?.refusals ?? 0) + (isRefusal(failure) ? 1 : 0);
      const wait = fact.retryAfterMs ?? deriveBackoff(failure, { count, refusals });
      const failures = {
        ...state.failures,
        [fact.effect]: { count, refusals, at, retryAt: at + wait, failure, message },
      };
      // What may have happened stays pending: the next try probes first, also when this one failed while probing.
      const doubtful = fact.ambiguous || state.pending[fact.effect]?.doubtful === true;
      return {
        ...state,
        failures,
        pending: doubtful
          ? { ...state.pending, [fact.effect]: { from: at, ...state.pending[fact.effect], at, doubtful } }
          : omit(state.pending, fact.effect),
      };
    }
    case "EffectEnded":
      return endEffect(state, fact.effect);
    case "FeaturePullOpened":
      return endEffect(
        {
          ...reopenPull(state, fact.number),
          featurePull: {
            number: fact.number,
            nodeId: fact.nodeId,
            url: fact.url,
            ready: false,
            settled: null,
            revision: "",
          },
        },
        fact.effect,
      );
    case "FeaturePullUpdated":
      return state.featurePull === null
        ? state
        : { ...state, featurePull: { ...state.featurePull, revision: fact.revision } };
    case "CheckPublished":
      return endEffect(
        {
          ...state,
          checks: putRow(state.checks, fact.externalId, { id: fact.id, url: fact.url, revision: fact.revision }),
        },
        fact.effect,
      );
    case "ReviewPosted":
      return endEffect(
        {
          ...state,
          reviews: putRow(state.reviews, fact.key, { id: fact.id, url: fact.url, standsOn: fact.standsOn ?? null }),
        },
        fact.effect,
      );
    case "ReviewDismissed": {
      const review = findRow(state.reviews, fact.key);
      return review === undefined
        ? state
        : { ...state, reviews: putRow(state.reviews, fact.key, { ...review, standsOn: null }) };
    }
    case "CommentPosted":
      return endEffect(
        { ...state, comments: { ...state.comments, [fact.key]: { id: fact.id, url: fact.url } } },
        fact.effect,
      );
    case "StatusUpdated":
      return endEffect({ ...state, status: { hash: fact.hash, at, shown: fact.shown } }, STATUS_EFFECT);
    case "PullClosed":
      return endEffect(
        settlePull({ ...state, closedPulls: [...new Set([...state.closedPulls, fact.number])] }, fact.number),
        fact.effect,
      );
    case "BranchDeleted":
      return { ...state, deletedBranches: putRow(state.deletedBranches, fact.branch, true) };
  }
}

/** We closed it ourselves: GitHub need not say so, and a chunk that is taken up again gets another one. */
function settlePull(state: RunState, number: number): RunState {
  const chunk = state.chunks.rows.find((entry) => entry.pulls.some((pull) => pull.number === number));
  if (chunk === undefined) return state;
  return changeChunk(state, chunk.id, (entry) => ({
    ...entry,
    pulls: entry.pulls.map((pull) =>
      pull.number === number ? { number, url: pull.url, settled: "closed" as const } : pull,
    ),
  }));
}

/**
 * What we closed of a chunk may have been reopened by a person, without our looking: whoever drops it once more means
 * that too. For all else it stays closed.
 */
export function closeAgain(state: RunState, id: ChunkId): RunState {
  const number = findRow(state.chunks, id)?.pulls.at(-1)?.number;
  if (number === undefined || !state.closedPulls.includes(number)) return state;
  return changeChunk(state, id, (chunk) => ({
    ...chunk,
    pulls: chunk.pulls.map((pull) => (pull.number === number ? { ...pull, again: true as const } : pull)),
  }));
}

/** What we closed may be reopened by a person and taken up again: who closes or merges it then is not us. */
export function reopenPull(state: RunState, number: number): RunState {
  return state.closedPulls.includes(number)
    ? { ...state, closedPulls: state.closedPulls.filter((closed) => closed !== number) }
    : state;
}

function beginEffect(state: RunState, fact: Extract<EffectFact, { kind: "EffectStarted" }>, at: number): PendingEffect {
  // One that is pending already is tried again: whether the former try happened is still unknown, and if it
  // did, the job that is found was sent out for what was needed then.
  const former = state.pending[fact.effect];
  const { purpose, attempt, agent } = former?.purpose === undefined ? fact : former;
  return {
    from: former?.from ?? at,
    at: at + ACTION_MS,
    doubtful: former !== undefined,
    ...(purpose === undefined ? {} : { purpose }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** The effect is known to have happened: nothing of it is pending or failing any more. */
export function endEffect(state: RunState, effect: string): RunState {
  return { ...state, pending: omit(state.pending, effect), failures: omit(state.failures, effect) };
}

function isRefusal(failure: FailureKind): boolean {
  return failure !== "transient" && failure !== "conflict";
}

function deriveBackoff(
  failure: FailureKind,
  { count, refusals }: { readonly count: number; readonly refusals: number },
): number {
  switch (failure) {
    case "transient":
    case "conflict":
      return Math.min(LAST_BACKOFF, FIRST_BACKOFF * 2 ** Math.min(count - 1, 20));
    case "terminal":
    case "misconfigured":
    case "dormant":
      return refusals === 1 ? FIRST_REFUSAL_BACKOFF : PERSON_BACKOFF;
  }
}
