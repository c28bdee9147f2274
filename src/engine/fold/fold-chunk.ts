import { deriveCandidateOutcome } from "../derive/landing-queue.ts";
import { isOutdated } from "../derive/purpose.ts";
import type { Fact } from "../fact.ts";
import type { AttemptState, RunState } from "../state.ts";
import { changeAccept, changeAttempt, changeCandidate, changeChunk } from "./change.ts";
import { endEffect, reopenPull } from "./fold-effect.ts";
import { replaceLast } from "./omit.ts";
import { pause } from "./pause.ts";

type ChunkFact = Extract<
  Fact,
  {
    kind:
      | "ChangeSetReceived"
      | "ChangeSetCommitted"
      | "ChunkPullOpened"
      | "FloorComputed"
      | "VerdictVerified"
      | "ChunkConflicted";
  }
>;

export function foldChunk(state: RunState, fact: ChunkFact): RunState {
  switch (fact.kind) {
    case "ChangeSetReceived":
      return changeAttempt(state, fact.chunk, fact.attempt, (attempt) =>
        // A late result of a superseded attempt changes nothing.
        attempt.stage !== "implementing"
          ? attempt
          : {
              ...attempt,
              stage: fact.problems.length > 0 ? "refused" : "received",
              document: fact.document,
              files: fact.files,
              problems: fact.problems,
              summary: fact.summary,
              context: fact.context,
            },
      );
    case "ChangeSetCommitted":
      return changeAttempt(state, fact.chunk, fact.attempt, (attempt) =>
        attempt.stage !== "received" ? attempt : { ...attempt, stage: "committed", head: fact.head, tree: fact.tree },
      );
    case "ChunkPullOpened":
      return endEffect(
        changeChunk(reopenPull(state, fact.number), fact.chunk, (chunk) => ({
          ...chunk,
          pulls: [...chunk.pulls, { number: fact.number, url: fact.url, settled: null }],
        })),
        fact.effect,
      );
    case "FloorComputed":
      return foldFloor(state, fact);
    case "VerdictVerified":
      return foldVerdict(state, fact);
    case "ChunkConflicted":
      return changeAttempt(state, fact.chunk, fact.attempt, (attempt) =>
        attempt.stage !== "verified" ? attempt : { ...attempt, stage: "conflicted", conflicts: fact.paths },
      );
  }
}

/**
 * Runner images move: a changed toolchain is nobody's try. What was judged stays as it is and is judged
 * again on the new baseline; when it happens a second time, people are asked.
 */
function renewBaseline(state: RunState): RunState {
  if (state.baseline.renewing) return state;
  const renewals = state.baseline.renewals + 1;
  const baseline = { ...state.baseline, renewing: true, renewals, refused: [], lost: [] };
  const next = { ...state, baseline };
  return renewals > 1 ? pause(next, { why: "toolchain", by: "" }) : next;
}

function foldFloor(state: RunState, fact: Extract<ChunkFact, { kind: "FloorComputed" }>): RunState {
  if (fact.result.toolchainChanged !== undefined) return renewBaseline(state);
  // It ran the checks of other criteria, or judged what has been put together anew.
  if (isOutdated(state, fact.job)) return state;
  const floor = { job: fact.job, result: fact.result, document: fact.document };
  switch (fact.subject.kind) {
    case "attempt":
      return changeAttempt(state, fact.subject.chunk, fact.subject.attempt, (attempt) =>
        attempt.stage !== "committed" || attempt.head !== fact.commit
          ? attempt
          : { ...attempt, floor, stage: fact.result.outcome === "pass" ? "floor-passed" : "floor-failed" },
      );
    case "candidate": {
      const hash = fact.subject.hash;
      const candidate = state.candidates.rows.find((entry) => entry.hash === hash);
      if (candidate === undefined || candidate.commit !== fact.commit || candidate.floor !== null) return state;
      const next = changeCandidate(state, hash, (entry) => ({ ...entry, floor }));
      const [only, ...others] = candidate.chunks;
      // With one chunk left there is nothing to bisect: the failure is this chunk's, on this tip.
      if (only === undefined || others.length > 0) return next;
      if (deriveCandidateOutcome(next, { ...candidate, floor }) === "pass") return next;
      return changeChunk(next, only, (chunk) => {
        const last = chunk.attempts.at(-1);
        if (last === undefined || last.stage !== "verified") return chunk;
        return {
          ...chunk,
          attempts: replaceLast(chunk.attempts, {
            ...last,
            stage: "integration-failed",
            integration: fact.result.violations,
          }),
        };
      });
    }
    case "accept":
      return changeAccept(state, fact.subject.n, (accept) =>
        accept.commit === fact.commit && accept.floor === null ? { ...accept, floor } : accept,
      );
  }
}

/**
 * One verdict decides; where the configuration wants a failed review confirmed, the majority of up to
 * three independent reviewers does.
 */
function countOpinion(
  state: RunState,
  attempt: AttemptState,
  review: NonNullable<AttemptState["review"]>,
  ledger: AttemptState["ledger"],
): AttemptState {
  const needed = state.run.config.review.confirm;
  const opinions = [...attempt.opinions, review];
  const count = (outcome: "pass" | "fail"): number => opinions.filter((one) => one.result.outcome === outcome).length;
  const decided =
    opinions.length === 1 && review.result.outcome === "pass"
      ? "pass"
      : count("fail") >= needed
        ? "fail"
        : count("pass") >= 2
          ? "pass"
          : null;
  if (decided === null) return { ...attempt, opinions };
  // The verdict that is shown is one of the majority.
  const shown = opinions.findLast((one) => one.result.outcome === decided) ?? review;
  return {
    ...attempt,
    review: shown,
    opinions: opinions.filter((one) => one !== shown),
    ledger,
    stage: decided === "pass" ? "verified" : "review-failed",
  };
}

function foldVerdict(state: RunState, fact: Extract<ChunkFact, { kind: "VerdictVerified" }>): RunState {
  if (isOutdated(state, fact.job)) return state;
  const review = { job: fact.job, result: fact.result };
  if (fact.subject.kind === "accept") {
    return changeAccept(state, fact.subject.n, (accept) => {
      if (accept.commit !== fact.commit || accept.review !== null) return accept;
      if (fact.result.outcome === "void") return { ...accept, voidReviews: accept.voidReviews + 1 };
      return { ...accept, review: { ...review, chunks: fact.chunks } };
    });
  }
  return changeAttempt(state, fact.subject.chunk, fact.subject.attempt, (attempt) => {
    if (attempt.stage !== "floor-passed" || attempt.head !== fact.commit) return attempt;
    switch (fact.result.outcome) {
      case "void":
        return {
          ...attempt,
          voidReviews: attempt.voidReviews + 1,
          cause: fact.result.reasons.join("; ").slice(0, 1000),
        };
      case "pass":
      case "fail":
        return countOpinion(state, attempt, review, fact.ledger);
    }
  });
}
