import type { Coverage } from "../../contracts/captures.ts";
import type { COVERAGE_FORMATS } from "../../contracts/config.ts";
import { readCobertura } from "./cobertura.ts";
import { readCoveragePyJson } from "./coverage-py-json.ts";
import { readIstanbulSummary } from "./istanbul-summary.ts";
import { readLcov } from "./lcov.ts";
import { buildCoverageProblem } from "./percent.ts";

export type CoverageReportFormat = (typeof COVERAGE_FORMATS)[number];

/** Reads a coverage report. Never throws; a metric that the report does not hold is null. */
export function readCoverageReport(format: CoverageReportFormat, text: string): Coverage {
  if (text.trim() === "") return buildCoverageProblem("the report is empty");
  switch (format) {
    case "lcov":
      return readLcov(text);
    case "cobertura":
      return readCobertura(text);
    case "istanbul-summary":
      return readIstanbulSummary(text);
    case "coverage-py-json":
      return readCoveragePyJson(text);
  }
}
