import type { RunState } from "../../engine/state.ts";
import type { Intervals } from "../context.ts";
import { listLandedPulls } from "../list-landed-pulls.ts";
import type { Target } from "../observe.ts";

/** How often a target is looked at again although no webhook points at it, in milliseconds. */
export type IntervalOf = (target: Target) => number;

/**
 * Webhooks are seldom lost, and those that failed are asked for again. So what they tell is looked at often
 * only where the run waits for nothing else; a job takes minutes anyway, and its deadline is watched apart.
 */
export function deriveIntervals(state: RunState, { jobMs, otherMs }: Intervals): IntervalOf {
  const landed = listLandedPulls(state);
  return (target) => {
    if (target === "ci") return jobMs;
    if (target.startsWith("job:")) return Math.min(3 * jobMs, otherMs);
    return target.startsWith("pull:") && landed.has(Number(target.slice("pull:".length))) ? jobMs : otherMs;
  };
}
