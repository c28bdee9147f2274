import type { Fact } from "../fact.ts";
import type { RunState } from "../state.ts";
import { putRow } from "../table.ts";
import { changeChunk, moveTip } from "./change.ts";
import { replaceLast } from "./omit.ts";
import { pause } from "./pause.ts";

type LandingFact = Extract<Fact, { kind: "CandidateCreated" | "ChunksLanded" | "TipMoved" | "PullSettled" }>;

export function foldLanding(state: RunState, fact: LandingFact, at: number): RunState {
  switch (fact.kind) {
    case "CandidateCreated":
      return {
        ...state,
        candidates: putRow(state.candidates, fact.hash, {
          hash: fact.hash,
          commit: fact.commit,
          tree: fact.tree,
          base: fact.base,
          chunks: fact.chunks,
          floor: null,
          lostJobs: 0,
        }),
      };
    case "ChunksLanded": {
      let next: RunState = {
        ...state,
        integration: moveTip(state, fact.commit, at),
        // Of a landing that was read back from GitHub no captures are left.
        verified: fact.document === "" ? state.verified : { ...state.verified, [fact.commit]: fact.document },
      };
      for (const id of fact.chunks) {
        next = changeChunk(next, id, (chunk) => {
          const last = chunk.attempts.at(-1);
          // Read back from GitHub, a landing may have no attempt that anybody remembers.
          if (last === undefined) return { ...chunk, landed: { commit: fact.commit, at, attempt: 0, verified: true } };
          return {
            ...chunk,
            attempts: replaceLast(chunk.attempts, { ...last, stage: "landed" }),
            landed: { commit: fact.commit, at, attempt: last.n, verified: true },
          };
        });
      }
      return next;
    }
    case "TipMoved":
      // Nobody verified what somebody else pushed: a floor on top of it compares with the baseline only.
      return { ...state, integration: moveTip(state, fact.sha, at) };
    case "PullSettled":
      return foldSettled(state, fact, at);
  }
}

/** Our own landings and closings settle pull requests; any other settling is a person's word. */
function foldSettled(state: RunState, fact: Extract<LandingFact, { kind: "PullSettled" }>, at: number): RunState {
  const ours = state.closedPulls.includes(fact.number);
  if (state.featurePull?.number === fact.number) {
    const featurePull = { ...state.featurePull, settled: fact.outcome };
    const closed = fact.outcome === "closed" && !ours && state.merged === null && state.cancelled === null;
    const settled = { ...state, featurePull };
    if (!closed) return settled;
    return pause({ ...settled, featureClosings: state.featureClosings + 1 }, { why: "feature-closed", by: "" });
  }
  const chunk = state.chunks.rows.find((entry) => entry.pulls.some((pull) => pull.number === fact.number));
  if (chunk === undefined) return state;
  return changeChunk(state, chunk.id, (entry) => {
    const pulls = entry.pulls.map((pull) => (pull.number === fact.number ? { ...pull, settled: fact.outcome } : pull));
    const last = entry.attempts.at(-1);
    if (ours || entry.landed !== null || entry.skipped) return { ...entry, pulls };
    // Read back from GitHub, a pull request may have no attempt that anybody remembers.
    if (last === undefined && fact.outcome === "closed") return { ...entry, pulls };
    const attempts =
      last === undefined ? entry.attempts : replaceLast(entry.attempts, { ...last, stage: "superseded" });
    if (fact.outcome === "closed")
      return { ...entry, pulls, attempts, stopped: `pull request #${fact.number} was ${describeClosing(fact)}` };
    // Merged by hand: it has landed, and nobody verified it.
    const commit = state.integration?.tip ?? state.run.fork;
    return { ...entry, pulls, attempts, landed: { commit, at, attempt: last?.n ?? 0, verified: false } };
  });
}

/** In words that follow "was". */
function describeClosing({ lost }: Extract<LandingFact, { kind: "PullSettled" }>): string {
  if (lost === undefined) return "closed";
  return lost === "elsewhere"
    ? "merged into another branch, not into the integration branch"
    : "merged, and what it brought is not on the integration branch any more";
}
