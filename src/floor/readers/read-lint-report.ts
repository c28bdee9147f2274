import type { LintReport } from "../../contracts/captures.ts";
import type { LINT_FORMATS } from "../../contracts/config.ts";
import { readCheckstyle } from "./checkstyle.ts";
import { readClippyJson } from "./clippy-json.ts";
import { readEslintJson } from "./eslint-json.ts";
import { readGolangciJson } from "./golangci-json.ts";
import { readLintLines } from "./lint-lines.ts";
import { NO_SOURCE, type ReportSource } from "./report-source.ts";
import { readSarif } from "./sarif.ts";

export type LintReportFormat = (typeof LINT_FORMATS)[number];

/**
 * Reads a linter's report. Never throws. Plain lines and cargo's stream may be empty (a linter that
 * finds nothing says nothing); of the other formats an empty text is no report.
 */
export function readLintReport(format: LintReportFormat, text: string, source: ReportSource = NO_SOURCE): LintReport {
  if (text.trim() === "" && format !== "lines") return { problems: ["the report is empty"], findings: [] };
  switch (format) {
    case "eslint-json":
      return readEslintJson(text, source);
    case "sarif":
      return readSarif(text, source);
    case "checkstyle":
      return readCheckstyle(text, source);
    case "clippy-json":
      return readClippyJson(text, source);
    case "golangci-json":
      return readGolangciJson(text, source);
    case "lines":
      return readLintLines(text, source);
  }
}
