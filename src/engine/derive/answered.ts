import type { RunState } from "../state.ts";
import { isGivenUp } from "./given-up.ts";

/** Whether everybody who has commanded something was told what came of it, or cannot be told. */
export function isEverybodyAnswered(state: RunState): boolean {
  return state.commands.every(({ comment }) => {
    const key = `answer:${comment}`;
    return state.comments[key] !== undefined || isGivenUp(state, `comment:${key}`);
  });
}
