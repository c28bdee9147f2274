import type { RunState } from "../state.ts";

/** What a command did, and the sentence that says so. */
export interface Outcome {
  readonly state: RunState;
  readonly accepted: boolean;
  readonly answer: string;
}

export function accept(state: RunState, answer: string): Outcome {
  return { state, accepted: true, answer };
}

export function refuse(state: RunState, answer: string): Outcome {
  return { state, accepted: false, answer };
}
