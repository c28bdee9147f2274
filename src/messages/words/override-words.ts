import type { ChunkId } from "../../contracts/ids.ts";
import type { OverrideState, RunState } from "../../engine/state.ts";
import { formatCommitText } from "../blocks/commit-text.ts";

export type OverrideSubject =
  | { readonly chunk: ChunkId; readonly attempt: number }
  | { readonly accept: number }
  | "plan";

/** Gates that people have overruled for an attempt, an acceptance or the plan. */
export function listOverrides(state: RunState, subject: OverrideSubject): readonly OverrideState[] {
  return state.overrides.filter((one) => {
    if (subject === "plan") return one.chunk === null && one.accept === null;
    if ("accept" in subject) return one.accept === subject.accept;
    return one.chunk === subject.chunk && one.attempt === subject.attempt;
  });
}

/**
 * The trailers that say who vouches for a commit: the adversarial reviewer, unless a person overruled the
 * review; every overruled gate is named with the person and the reason.
 */
export function buildVoucherTrailers(
  overrides: readonly OverrideState[],
): ReadonlyArray<readonly [key: string, value: string]> {
  const reviewed = !overrides.some((one) => one.gate === "review");
  return [
    ...(reviewed ? [["Reviewed-by", "adversarial-review (PASS)"] as const] : []),
    ...overrides.map(
      (one) => ["Overridden-by", formatCommitText(`${one.by} (${one.gate}): ${one.why}`.slice(0, 300))] as const,
    ),
  ];
}
