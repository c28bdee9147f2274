import type { GateNumber, GateOutcome, GateResult, Violation } from "../../contracts/floor-result.ts";

/** What one gate found. */
export interface GateReport {
  readonly result: GateResult;
  readonly violations: readonly Violation[];
}

/** A gate that ran: it fails iff it has a violation. */
export function buildReport(gate: GateNumber, was: string, now: string, violations: readonly Violation[]): GateReport {
  return { result: { gate, outcome: violations.length > 0 ? "fail" : "pass", was, now }, violations };
}

/** A gate that could not run. */
export function buildIdleReport(
  gate: GateNumber,
  outcome: Exclude<GateOutcome, "pass" | "fail">,
  now: string,
): GateReport {
  return { result: { gate, outcome, was: "", now }, violations: [] };
}
