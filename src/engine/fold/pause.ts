import type { Pause, RunState } from "../state.ts";

/** The newest pause of a kind takes the place of a former one; those of other kinds go on beside it. */
export function pause(state: RunState, next: Pause): RunState {
  return { ...state, paused: [...(state.paused ?? []).filter(({ why }) => why !== next.why), next] };
}

/** Pauses of these kinds are over. */
export function endPauses(state: RunState, kinds: readonly Pause["why"][]): RunState {
  const left = (state.paused ?? []).filter(({ why }) => !kinds.includes(why));
  return { ...state, paused: left.length === 0 ? null : left };
}
