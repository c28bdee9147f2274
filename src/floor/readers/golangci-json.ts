/** golangci-lint's JSON output (golangci-lint.run/docs/configuration/file/#output-configuration), v1 and v2. */
import type { LintFinding, LintReport } from "../../contracts/captures.ts";
import { buildFinding } from "./lint-finding.ts";
import { asText, isObject, parseJson } from "./read-json.ts";
import type { ReportSource } from "./report-source.ts";

export function readGolangciJson(text: string, source: ReportSource): LintReport {
  // Version 2 prints a summary for people after the document when both go to standard output.
  const [document = ""] = text.trimStart().split("\n", 1);
  const whole = parseJson(text);
  const parsed = "problem" in whole ? parseJson(document) : whole;
  if ("problem" in parsed) return { problems: [parsed.problem], findings: [] };
  const root = parsed.value;
  if (!isObject(root) || !("Issues" in root))
    return { problems: ["no golangci-lint report: `Issues` is missing"], findings: [] };
  const issues = root["Issues"] ?? [];
  if (!Array.isArray(issues)) return { problems: ["`Issues` is no list"], findings: [] };
  const report = isObject(root["Report"]) ? root["Report"] : {};
  const error = asText(report["Error"]);
  const findings = issues.flatMap((issue: unknown): readonly LintFinding[] => {
    if (!isObject(issue)) return [];
    const position = isObject(issue["Pos"]) ? issue["Pos"] : {};
    const raw = {
      code: asText(issue["FromLinter"]),
      path: asText(position["Filename"]),
      message: asText(issue["Text"]),
      line: position["Line"],
    };
    return [buildFinding(raw, source)];
  });
  return { problems: error === "" ? [] : [`golangci-lint says: ${error.slice(0, 500)}`], findings };
}
