import type { FailureKind } from "../../contracts/errors.ts";
import type { RunState } from "../state.ts";

const TRIES_WAITED_FOR = 3;
/** Six hours, at one try in half an hour. */
const MOST_TRIES = 12;

/**
 * What is left over once a run has ended is tried for some hours where only people could make it possible: a
 * locked issue takes no report, a ruleset keeps branches.
 */
export function isGivenUp(state: RunState, effect: string): boolean {
  return isRefused(state, effect, MOST_TRIES);
}

/** Whether the end goes on without it meanwhile. */
export function isNotWaitedFor(state: RunState, effect: string): boolean {
  return isRefused(state, effect, TRIES_WAITED_FOR);
}

/** So often, and it is no passing refusal. */
const REFUSED_FOR_GOOD = 2;

/** Whether GitHub refuses it again, minutes after it did so first: nothing that matters more waits for it. */
export function isRefusedForGood(state: RunState, effect: string): boolean {
  const failure = state.failures[effect];
  return failure !== undefined && failure.refusals >= REFUSED_FOR_GOOD && isRefusal(failure.failure);
}

function isRefused(state: RunState, effect: string, tries: number): boolean {
  const failure = state.failures[effect];
  return failure !== undefined && failure.count >= tries && isRefusal(failure.failure);
}

function isRefusal(kind: FailureKind): boolean {
  return kind === "terminal" || kind === "misconfigured";
}
