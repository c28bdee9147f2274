import { readFileSync } from "node:fs";
import type { TestReport } from "../../../src/contracts/captures.ts";
import { readTestReport, type TestReportFormat } from "../../../src/floor/readers/read-test-report.ts";
import type { ReportSource } from "../../../src/floor/readers/report-source.ts";

export const REPO: ReportSource = { roots: ["/repo"] };

/** Real outputs of real tools (tools/dev/make-report-fixtures.ts). */
export function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/tool-reports/${name}`, import.meta.url), "utf8");
}

/** Ours, after the tools' documentation. */
export function unverified(name: string): string {
  return readFileSync(new URL(`../../fixtures/tool-reports-unverified/${name}`, import.meta.url), "utf8");
}

export function readFixture(format: TestReportFormat, name: string): TestReport {
  return readTestReport(format, fixture(name), REPO);
}

/** `status target › name` of every case, in order. */
export function listCases(report: TestReport): readonly string[] {
  return report.cases.map(
    (test) => `${test.status} ${[test.target, test.name].filter((part) => part !== "").join(" › ")}`,
  );
}

export function countCases(report: TestReport): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { passed: 0, failed: 0, skipped: 0 };
  for (const test of report.cases) counts[test.status] = (counts[test.status] ?? 0) + 1;
  return counts;
}
