import type { TestReport } from "../../contracts/captures.ts";
import type { REPORT_FORMATS } from "../../contracts/config.ts";
import { readGoTestJson } from "./go-test-json.ts";
import { readJestJson } from "./jest-json.ts";
import { readJunit } from "./junit.ts";
import { readLibtest } from "./libtest.ts";
import { NO_SOURCE, type ReportSource } from "./report-source.ts";
import { readTap } from "./tap.ts";

export type TestReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * Reads a test report. Never throws: what is malformed, cut off or empty is in `problems`, and a
 * report with problems is no evidence.
 */
export function readTestReport(format: TestReportFormat, text: string, source: ReportSource = NO_SOURCE): TestReport {
  if (text.trim() === "") return { problems: ["the report is empty"], announced: null, cases: [] };
  switch (format) {
    case "junit":
      return readJunit(text, source);
    case "tap":
      return readTap(text, source);
    case "go-test-json":
      return readGoTestJson(text);
    case "libtest":
      return readLibtest(text);
    case "jest-json":
    case "vitest-json":
      return readJestJson(text, source);
  }
}
