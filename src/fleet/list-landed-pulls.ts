import type { RunState } from "../engine/state.ts";

/** Numbers of the pull requests whose content we have landed, so that GitHub is bound to call them merged. */
export function listLandedPulls(state: RunState): ReadonlySet<number> {
  const landed = new Set<number>();
  for (const chunk of state.chunks.rows)
    if (chunk.landed !== null) for (const pull of chunk.pulls) landed.add(pull.number);
  if (state.featurePull !== null && state.merged !== null) landed.add(state.featurePull.number);
  return landed;
}
