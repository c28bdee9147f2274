/** The floor as a table for the terminal. */
import { type FloorResult, GATE_NAMES, type GateOutcome, type Violation } from "../../contracts/floor-result.ts";

const marks: Readonly<Record<GateOutcome, string>> = {
  pass: "pass",
  fail: "FAIL",
  "not-configured": "not configured",
  "not-available": "not available",
};
const colours: Readonly<Record<GateOutcome, string>> = {
  pass: "\u001b[32m",
  fail: "\u001b[31m",
  "not-configured": "\u001b[33m",
  "not-available": "\u001b[33m",
};

/** Control characters in names and messages come from the code under test: they never reach the terminal. */
export function formatFloor(result: FloorResult, isColoured: boolean): string {
  const rows = result.gates.map(({ gate, outcome, was, now }) => ({
    outcome,
    cells: [`${gate} ${GATE_NAMES[gate]}`, marks[outcome], was === "" ? clean(now) : `${clean(was)} -> ${clean(now)}`],
  }));
  const widths = [0, 1].map((column) => Math.max(...rows.map(({ cells }) => (cells[column] ?? "").length)));
  const table = rows.map(({ outcome, cells: [name = "", mark = "", text = ""] }) => {
    const padded = mark.padEnd(widths[1] ?? 0);
    const painted = isColoured ? `${colours[outcome]}${padded}\u001b[0m` : padded;
    return `${name.padEnd(widths[0] ?? 0)}  ${painted}  ${text}`.trimEnd();
  });
  const more = result.more > 0 ? [`… and ${result.more} more`] : [];
  return `${[...table, "", formatVerdict(result), ...result.violations.map(formatViolation), ...more].join("\n")}\n`;
}

function formatVerdict({ outcome, violations, more }: FloorResult): string {
  const count = violations.length + more;
  return outcome === "pass"
    ? "The floor passes."
    : `The floor fails: ${count} ${count === 1 ? "violation" : "violations"}.`;
}

function formatViolation({ gate, rule, message, path, line, hint }: Violation): string {
  const place = path === undefined ? "" : `${clean(path)}${line === undefined ? "" : `:${line}`}: `;
  const help =
    hint === undefined
      ? []
      : clean(hint, "keep-lines")
          .split("\n")
          .slice(0, 5)
          .map((text) => `      ${text}`);
  return [`  ${place}${clean(message)} [${gate} ${rule}]`, ...help].join("\n");
}

function clean(text: string, lines: "one-line" | "keep-lines" = "one-line"): string {
  const kept = lines === "keep-lines" ? text : text.replaceAll(/[\r\n\t]+/gu, " ");
  return kept.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, "");
}
