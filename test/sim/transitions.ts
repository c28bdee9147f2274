/** Which states followed which, in a run as it was recorded. */
import { deriveChunkPhase, deriveStops } from "../../src/engine/derive/chunk-progress.ts";
import type { RecordedFact } from "../../src/engine/fact.ts";
import { fold } from "../../src/engine/fold.ts";
import type { RunState } from "../../src/engine/state.ts";
import { derivePhase } from "../../src/fleet/loop/derive-phase.ts";

/** `from -> to`, with the kinds of facts that brought it about. */
export type Transitions = Map<string, Set<string>>;

export interface Observed {
  readonly run: Transitions;
  readonly chunk: Transitions;
  readonly attempt: Transitions;
}

export function emptyObserved(): Observed {
  return { run: new Map(), chunk: new Map(), attempt: new Map() };
}

export function observeTransitions(facts: readonly RecordedFact[], into: Observed): void {
  let state: RunState | null = null;
  let run = "begin";
  const chunks = new Map<string, string>();
  const attempts = new Map<string, string>();
  for (const recorded of facts) {
    const next = fold(state, recorded);
    const by = recorded.fact.kind;
    if (next.chunks !== state?.chunks || run !== "ended") {
      const phase = derivePhase(next, recorded.at);
      note(into.run, run, phase, by);
      run = phase;
    }
    if (state === null || next.chunks !== state.chunks || next.planning !== state.planning) {
      const stops = deriveStops(next);
      for (const chunk of next.chunks.rows) {
        const phase = deriveChunkPhase(chunk, next, stops);
        note(into.chunk, chunks.get(chunk.id) ?? "begin", phase, by);
        chunks.set(chunk.id, phase);
        for (const attempt of chunk.attempts) {
          const key = `${chunk.id}/${attempt.n}`;
          note(into.attempt, attempts.get(key) ?? "begin", attempt.stage, by);
          attempts.set(key, attempt.stage);
        }
      }
    }
    state = next;
  }
}

function note(transitions: Transitions, from: string, to: string, by: string): void {
  if (from === to) return;
  const key = `${from} -> ${to}`;
  const known = transitions.get(key) ?? new Set<string>();
  known.add(by);
  transitions.set(key, known);
}
