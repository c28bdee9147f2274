import { escapeTableCell } from "../../contracts/markdown.ts";
import { GATE_NAMES, type FloorResult, type GateOutcome } from "../../contracts/floor-result.ts";
import { cutText } from "./sentence.ts";
import { formatTable } from "./table.ts";

const WORDS: Readonly<Record<GateOutcome, string>> = {
  pass: "✅ pass",
  fail: "❌ fail",
  "not-configured": "➖ not configured",
  "not-available": "➖ not available",
};

/** All gates, also those that could not be computed: nothing passes silently. */
export function formatGateTable(result: FloorResult): string {
  return formatTable(
    ["Gate", "Was", "Now", "Result"],
    result.gates.map((gate) => [
      `${gate.gate} ${GATE_NAMES[gate.gate]}`,
      escapeTableCell(cutText(gate.was, 200)),
      escapeTableCell(cutText(gate.now, 200)),
      WORDS[gate.outcome],
    ]),
  );
}

/** `passed: 7 of 7 gates; 2 not configured`, or which gates failed. */
export function formatFloorVerdict(result: FloorResult): string {
  const count = (outcome: GateOutcome): number => result.gates.filter((gate) => gate.outcome === outcome).length;
  const failed = result.gates.filter((gate) => gate.outcome === "fail").map((gate) => GATE_NAMES[gate.gate]);
  const judged = count("pass") + failed.length;
  const missing = [
    ...(count("not-configured") > 0 ? [`${count("not-configured")} not configured`] : []),
    ...(count("not-available") > 0 ? [`${count("not-available")} not available`] : []),
  ];
  const rest = missing.length === 0 ? "" : `; ${missing.join(", ")}`;
  if (result.outcome === "pass") return `${count("pass")} of ${judged} gates passed${rest}`;
  const violations = result.violations.length + result.more;
  const which = failed.length === 0 ? "" : `: ${failed.join(", ")}`;
  return `${violations} ${violations === 1 ? "violation" : "violations"}${which}${rest}`;
}
