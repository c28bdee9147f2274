import type { RunState } from "../state.ts";

const MOST_TRIES = 3;

/**
 * What is left over when a run ends is tried a few times where only people could make it possible: a locked
 * issue takes no report, a ruleset keeps branches. The end does not wait for them.
 */
export function isGivenUp(state: RunState, effect: string): boolean {
  const failure = state.failures[effect];
  return (
    failure !== undefined &&
    failure.count >= MOST_TRIES &&
    (failure.failure === "terminal" || failure.failure === "misconfigured")
  );
}
