import type { Fact } from "../fact.ts";
import type { AcceptState, RunState } from "../state.ts";
import { changeAccept, moveTip } from "./change.ts";
import { endEffect } from "./fold-effect.ts";
import { carryVerified } from "./fold-plan.ts";

type AcceptFact = Extract<
  Fact,
  {
    kind:
      | "AcceptCreated"
      | "AcceptConflicted"
      | "AcceptCommitted"
      | "CiGathered"
      | "FeatureReady"
      | "SourceMoved"
      | "FeatureMerged";
  }
>;

export function foldAccept(state: RunState, fact: AcceptFact, at: number): RunState {
  switch (fact.kind) {
    case "AcceptCreated":
      return addAccept(state, fact);
    case "AcceptConflicted": {
      const tip = state.integration?.tip ?? state.run.fork;
      const { n, source, message } = fact;
      return addAccept(state, { n, source, tip, commit: tip, tree: tip, branch: "", conflict: message });
    }
    case "AcceptCommitted": {
      const next = changeAccept(state, fact.n, (accept) => ({
        ...accept,
        accepted: fact.commit,
        acceptedTree: fact.tree,
        acceptedAt: at,
      }));
      return {
        ...next,
        verified: carryVerified(state, fact.commit),
        integration: moveTip(next, fact.commit, at),
      };
    }
    case "CiGathered":
      return changeAccept(state, fact.n, (accept) =>
        accept.accepted === fact.commit ? { ...accept, ci: { state: fact.state, rows: fact.rows } } : accept,
      );
    case "FeatureReady":
      return endEffect(
        { ...state, featurePull: state.featurePull === null ? null : { ...state.featurePull, ready: true } },
        fact.effect,
      );
    case "SourceMoved":
      // The accepted commit no longer contains the source's head: accept again, against the new one.
      return changeAccept(state, fact.n, (accept) => ({ ...accept, stale: fact.sha }));
    case "FeatureMerged":
      return { ...state, merged: { commit: fact.commit, how: fact.how, verified: fact.verified } };
  }
}

type NewAccept = Pick<AcceptState, "n" | "source" | "tip" | "commit" | "tree" | "branch">;

/** @param made `conflict`: why the feature could not be put together, in git's words; absent where it could. */
function addAccept(state: RunState, made: NewAccept & { readonly conflict?: string }): RunState {
  const { n, source, tip, commit, tree, branch, conflict = null } = made;
  const accept: AcceptState = {
    n,
    source,
    tip,
    commit,
    tree,
    branch,
    floor: null,
    review: null,
    voidReviews: 0,
    lostJobs: 0,
    accepted: null,
    acceptedTree: null,
    acceptedAt: null,
    ci: null,
    conflict,
    stale: null,
  };
  return { ...state, accepts: [...state.accepts, accept] };
}
