/** Folds a run's facts again and says what was decided after each: the same facts give the same decisions, always. */
import { decide, type Timing } from "../../engine/decide.ts";
import type { RecordedFact } from "../../engine/fact.ts";
import { fold } from "../../engine/fold.ts";
import type { RunState } from "../../engine/state.ts";

export interface ReplayStep {
  readonly seq: number;
  readonly at: number;
  readonly fact: string;
  /** What was to be done next, first the first; the key names the effect. */
  readonly actions: ReadonlyArray<{ readonly kind: string; readonly key: string; readonly reason: string }>;
}

export interface Replay {
  readonly state: RunState;
  readonly steps: readonly ReplayStep[];
  /** Effects that were recorded although no decision asked for them: the code has changed, or there is a bug. */
  readonly differences: readonly string[];
  /** Effects that were begun and of which no fact says how they ended: a process died, or an answer never came. */
  readonly unfinished: readonly string[];
}

/** @throws Error when the facts do not begin with the run's beginning. */
export function replayRun(facts: readonly RecordedFact[], timing: Timing): Replay {
  let state: RunState | null = null;
  const steps: ReplayStep[] = [];
  const differences: string[] = [];
  for (const recorded of facts) {
    const { fact, seq, at } = recorded;
    if (fact.kind === "EffectStarted" && state !== null) {
      const wanted = decide(state, at, timing).actions.some((action) => action.key === fact.effect);
      if (!wanted) differences.push(`fact ${seq}: ${fact.effect} was begun, and nothing here asks for it`);
    }
    state = fold(state, recorded);
    const { actions } = decide(state, at, timing);
    steps.push({
      seq,
      at,
      fact: fact.kind,
      actions: actions.map((action) => ({ kind: action.kind, key: action.key, reason: action.reason })),
    });
  }
  if (state === null) throw new Error("a run without facts");
  return { state, steps, differences, unfinished: Object.keys(state.pending) };
}
