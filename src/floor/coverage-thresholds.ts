import type { CoverageThresholds } from "../contracts/captures.ts";
import { isPercent } from "./readers/percent.ts";
import { isObject, parseJson } from "./readers/read-json.ts";

export interface ThresholdsFile {
  readonly thresholds: CoverageThresholds;
  /** `enforcement.command`, run where the configuration names no coverage command. */
  readonly command: string | null;
}

const metrics = ["lines", "branches", "functions", "statements"] as const;

/** Reads `.coverage-thresholds.json`: `{ thresholds: { lines, … }, enforcement: { command } }`. A broken file blocks. */
export function parseThresholds(text: string): ThresholdsFile {
  const parsed = parseJson(text);
  if ("problem" in parsed) return { thresholds: { problem: parsed.problem }, command: null };
  if (!isObject(parsed.value)) return { thresholds: { problem: "the document is no object" }, command: null };
  const source = isObject(parsed.value["thresholds"]) ? parsed.value["thresholds"] : parsed.value;
  const thresholds: CoverageThresholds = {};
  for (const metric of metrics) {
    const value = source[metric];
    if (value === undefined) continue;
    if (isPercent(value)) thresholds[metric] = value;
    else thresholds.problem = `${metric} is no percentage`;
  }
  const enforcement = parsed.value["enforcement"];
  const command =
    isObject(enforcement) && typeof enforcement["command"] === "string" ? enforcement["command"].trim() : "";
  if (metrics.every((metric) => thresholds[metric] === undefined) && command === "" && thresholds.problem === undefined)
    thresholds.problem = "it names neither a threshold nor an enforcement command";
  return { thresholds, command: command === "" ? null : command };
}
