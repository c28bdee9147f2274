import { GATE_NAMES, type Violation } from "../../contracts/floor-result.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import type { RunState } from "../state.ts";

/** Names of the gates with violations that nobody has overruled. */
export function listOpenGates(
  violations: readonly Violation[],
  state: RunState,
  subject: { readonly chunk: ChunkId | null; readonly attempt: number | null; readonly accept: number | null },
): readonly string[] {
  const overruled = new Set(
    state.overrides
      .filter((one) => one.chunk === subject.chunk && one.attempt === subject.attempt && one.accept === subject.accept)
      .map((one) => one.gate),
  );
  return [...new Set(violations.map((violation) => GATE_NAMES[violation.gate]))].filter((name) => !overruled.has(name));
}

/** Whether a person has overruled this judge for the subject. */
export function isOverruled(
  overrides: RunState["overrides"],
  gate: string,
  subject: { readonly chunk: ChunkId | null; readonly attempt: number | null; readonly accept: number | null },
): boolean {
  return overrides.some(
    (one) =>
      one.gate === gate &&
      one.chunk === subject.chunk &&
      one.attempt === subject.attempt &&
      one.accept === subject.accept,
  );
}
