/** Istanbul's `json-summary` (istanbul.js.org/docs/advanced/alternative-reporters); jest, vitest, c8, nyc. */
import type { Coverage } from "../../contracts/captures.ts";
import { buildCoverageProblem, formatPercent } from "./percent.ts";
import { isObject, parseJson, type JsonObject } from "./read-json.ts";

export function readIstanbulSummary(text: string): Coverage {
  const parsed = parseJson(text);
  if ("problem" in parsed) return buildCoverageProblem(parsed.problem);
  const total = isObject(parsed.value) ? parsed.value["total"] : null;
  if (!isObject(total)) return buildCoverageProblem("no istanbul summary: `total` is missing");
  const coverage: Coverage = {
    problems: [],
    lines: readMetric(total, "lines"),
    branches: readMetric(total, "branches"),
    functions: readMetric(total, "functions"),
    statements: readMetric(total, "statements"),
  };
  return coverage.lines === null ? buildCoverageProblem("`total.lines` cannot be read") : coverage;
}

/** From the counts, since the percentage is "Unknown" where there is nothing to cover. */
function readMetric(total: JsonObject, name: string): number | null {
  const metric = total[name];
  if (!isObject(metric)) return null;
  const { covered, total: found } = metric;
  if (typeof covered !== "number" || typeof found !== "number" || covered < 0 || covered > found) return null;
  return formatPercent(covered, found);
}
