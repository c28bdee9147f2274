import type { AttemptState } from "../state.ts";

/** Names a posted verdict. One that was judged by other criteria before has had another. */
export function formatReviewKey(chunk: string, { n, judging }: Pick<AttemptState, "n" | "judging">): string {
  return judging === 0 ? `${chunk}:${n}` : `${chunk}:${n}.${judging}`;
}
