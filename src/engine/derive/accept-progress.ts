/** Where the acceptance of the whole feature stands. */
import type { AcceptState, RunState } from "../state.ts";
import { listOpenCheckpoints } from "./checkpoints.ts";
import { isAllSettled, listLandedIds } from "./chunk-progress.ts";
import { isOverruled, listOpenGates } from "./overrides.ts";
import { deriveActiveRevision, deriveHold } from "./plan-progress.ts";
import { MAX_LOST_JOBS, MAX_VOID_REVIEWS } from "./unusual.ts";

export type AcceptStep =
  | { readonly step: "not-yet" }
  | { readonly step: "create"; readonly n: number }
  /** Found wanting: a revision that mends it is asked for, without a person, a few times. */
  | { readonly step: "fix"; readonly accept: AcceptState; readonly how: "fix" | "replan"; readonly why: string }
  | { readonly step: "floor" | "review" | "commit" | "ci" | "merge"; readonly accept: AcceptState }
  | {
      readonly step: "person";
      readonly accept: AcceptState;
      readonly problem: "conflict" | "floor" | "review" | "ci" | "lost" | "late";
      readonly why: string;
    };

export function deriveAcceptStep(state: RunState, now: number): AcceptStep {
  const revision = deriveActiveRevision(state);
  if (revision === null || deriveHold(state) !== null || listOpenCheckpoints(state).length > 0)
    return { step: "not-yet" };
  if (!isAllSettled(state) || listLandedIds(state).length === 0) return { step: "not-yet" };
  const accept = state.accepts.at(-1);
  if (accept === undefined || findSuccessor(accept, state) !== null)
    return { step: "create", n: state.accepts.length + 1 };
  return deriveStepOf(accept, state, now);
}

/**
 * Why what was found of it counts no more; null = it does. The plan has been mended because of it: it is over also
 * where the branch comes back to the tip it was made of, since a person set it back, or the read of a moment ago
 * lagged behind. Or one of the two branches has moved.
 */
export function findSuccessor(accept: AcceptState, state: RunState): "mended" | "source-moved" | "tip-moved" | null {
  if (state.fixes.some((fix) => fix.n === accept.n)) return "mended";
  if (accept.stale !== null) return "source-moved";
  return state.integration?.tip !== (accept.accepted ?? accept.tip) ? "tip-moved" : null;
}

function deriveStepOf(accept: AcceptState, state: RunState, now: number): AcceptStep {
  const person = (problem: Extract<AcceptStep, { step: "person" }>["problem"], why: string): AcceptStep => ({
    step: "person",
    accept,
    problem,
    why,
  });
  if (accept.conflict !== null)
    return person("conflict", `it does not merge with the source branch: ${accept.conflict}`);
  if (accept.lostJobs >= MAX_LOST_JOBS || accept.voidReviews >= MAX_VOID_REVIEWS)
    return person("lost", "its jobs gave no result that can be used");
  if (accept.floor === null) return { step: "floor", accept };
  const subject = { chunk: null, attempt: null, accept: accept.n };
  if (accept.floor.result.outcome === "fail" && listOpenGates(accept.floor.result, state, subject).length > 0)
    return deriveFix(accept, state) ?? person("floor", "the floor failed on the whole feature");
  if (accept.review === null) return { step: "review", accept };
  if (accept.review.result.outcome !== "pass" && !isOverruled(state.overrides, "review", subject))
    return deriveFix(accept, state) ?? person("review", "the final review found it wanting");
  if (accept.accepted === null) return { step: "commit", accept };
  const { ci } = state.run.config;
  if (!ci.gather || accept.ci?.state === "pass") return { step: "merge", accept };
  if (accept.ci?.state === "fail")
    return deriveFix(accept, state) ?? person("ci", "the repository's own checks failed");
  const deadline = deriveCiDeadline(accept, state);
  return now >= deadline
    ? person("late", `the repository's own checks did not end within ${ci.deadline_minutes} minutes`)
    : { step: "ci", accept };
}

/** At most so many revisions that mend, then one that plans anew, then people are asked. */
function deriveFix(accept: AcceptState, state: RunState): AcceptStep | null {
  const { fix_rounds: rounds } = state.run.config.limits;
  if (rounds === 0) return null;
  const fixes = state.fixes.filter((fix) => fix.how === "fix").length;
  const why = `acceptance ${accept.n} failed`;
  if (fixes < rounds) return { step: "fix", accept, how: "fix", why: `${why}: fix round ${fixes + 1} of ${rounds}` };
  if (!state.fixes.some((fix) => fix.how === "replan"))
    return { step: "fix", accept, how: "replan", why: `${why} after ${rounds} fix rounds: planning anew once` };
  return null;
}

export function deriveCiDeadline(accept: AcceptState, state: RunState): number {
  return (accept.acceptedAt ?? state.at) + state.run.config.ci.deadline_minutes * 60_000;
}
