import type { FloorResult, GateNumber } from "../../../src/contracts/floor-result.ts";

/** `gate rule path` of every violation. */
export function listRules(result: FloorResult): readonly string[] {
  return result.violations.map(({ gate, rule, path }) => [gate, rule, ...(path === undefined ? [] : [path])].join(" "));
}

export function outcomeOf(result: FloorResult, gate: GateNumber): string | undefined {
  return result.gates.find((entry) => entry.gate === gate)?.outcome;
}
