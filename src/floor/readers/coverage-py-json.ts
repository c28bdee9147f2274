/** coverage.py's `coverage json` (coverage.readthedocs.io/en/latest/cmd.html#json-reporting-coverage-json). */
import type { Coverage } from "../../contracts/captures.ts";
import { buildCoverageProblem, formatPercent } from "./percent.ts";
import { isObject, parseJson, type JsonObject } from "./read-json.ts";

export function readCoveragePyJson(text: string): Coverage {
  const parsed = parseJson(text);
  if ("problem" in parsed) return buildCoverageProblem(parsed.problem);
  const totals = isObject(parsed.value) ? parsed.value["totals"] : null;
  if (!isObject(totals)) return buildCoverageProblem("no coverage.py report: `totals` is missing");
  const lines = readMetric(totals, "covered_lines", "num_statements");
  if (lines === null) return buildCoverageProblem("`totals` holds no line counts");
  // coverage.py counts statements, and calls them lines.
  return {
    problems: [],
    lines,
    branches: readMetric(totals, "covered_branches", "num_branches"),
    functions: null,
    statements: lines,
  };
}

function readMetric(totals: JsonObject, covered: string, found: string): number | null {
  const hit = totals[covered];
  const all = totals[found];
  if (typeof hit !== "number" || typeof all !== "number" || hit < 0 || hit > all) return null;
  return formatPercent(hit, all);
}
