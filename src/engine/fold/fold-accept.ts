import type { Fact } from "../fact.ts";
import type { RunState } from "../state.ts";
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
      return {
        ...state,
        accepts: [
          ...state.accepts,
          {
            n: fact.n,
            source: fact.source,
            tip: fact.tip,
            commit: fact.commit,
            tree: fact.tree,
            branch: fact.branch,
            floor: null,
            review: null,
            voidReviews: 0,
            lostJobs: 0,
            accepted: null,
            acceptedTree: null,
            acceptedAt: null,
            ci: null,
            conflict: null,
            stale: null,
          },
        ],
      };
    case "AcceptConflicted": {
      const tip = state.integration?.tip ?? state.run.fork;
      return {
        ...state,
        accepts: [
          ...state.accepts,
          {
            n: fact.n,
            source: fact.source,
            tip,
            commit: tip,
            tree: tip,
            branch: "",
            floor: null,
            review: null,
            voidReviews: 0,
            lostJobs: 0,
            accepted: null,
            acceptedTree: null,
            acceptedAt: null,
            ci: null,
            conflict: fact.message,
            stale: null,
          },
        ],
      };
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
