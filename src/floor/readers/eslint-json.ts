/** ESLint's `json` formatter (eslint.org/docs/latest/use/formatters); stylelint and oxlint write kin. */
import type { LintFinding, LintReport } from "../../contracts/captures.ts";
import { buildFinding } from "./lint-finding.ts";
import { asList, asText, isObject, parseJson } from "./read-json.ts";
import type { ReportSource } from "./report-source.ts";

export function readEslintJson(text: string, source: ReportSource): LintReport {
  const parsed = parseJson(text);
  if ("problem" in parsed) return { problems: [parsed.problem], findings: [] };
  if (!Array.isArray(parsed.value)) return { problems: ["no ESLint report: the document is no list"], findings: [] };
  const problems: string[] = [];
  const findings = parsed.value.flatMap((file: unknown): readonly LintFinding[] => {
    if (!isObject(file) || typeof file["filePath"] !== "string") {
      if (problems.length < 20) problems.push("an entry has no `filePath`");
      return [];
    }
    const path = file["filePath"];
    return asList(file["messages"]).flatMap((message) => {
      if (!isObject(message)) return [];
      const code = message["fatal"] === true ? "fatal" : asText(message["ruleId"]);
      return [buildFinding({ code, path, message: asText(message["message"]), line: message["line"] }, source)];
    });
  });
  return { problems, findings };
}
