import { type FloorResult, GATE_NAMES } from "../../contracts/floor-result.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import type { RunState } from "../state.ts";

/** Whose gate: a chunk's attempt, or an acceptance of the whole feature. */
export interface GateSubject {
  readonly chunk: ChunkId | null;
  readonly attempt: number | null;
  readonly accept: number | null;
}

/** Names of the gates that failed and that nobody has overruled. */
export function listOpenGates(result: FloorResult, state: RunState, subject: GateSubject): readonly string[] {
  const overruled = new Set(
    state.overrides
      .filter((one) => one.chunk === subject.chunk && one.attempt === subject.attempt && one.accept === subject.accept)
      .map((one) => one.gate),
  );
  return listFailedGates(result).filter((name) => !overruled.has(name));
}

/** By the gates, for not every violation is kept. */
export function listFailedGates(result: FloorResult): readonly string[] {
  const failed = result.gates.flatMap(({ gate, outcome }) => (outcome === "fail" ? [gate] : []));
  const gates = new Set([...failed, ...result.violations.map((violation) => violation.gate)]);
  return [...gates].map((gate) => GATE_NAMES[gate]);
}

/** Whether a person has overruled this judge for the subject. */
export function isOverruled(overrides: RunState["overrides"], gate: string, subject: GateSubject): boolean {
  return overrides.some(
    (one) =>
      one.gate === gate &&
      one.chunk === subject.chunk &&
      one.attempt === subject.attempt &&
      one.accept === subject.accept,
  );
}
