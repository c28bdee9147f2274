import type { LintReport, TestReport } from "../contracts/captures.ts";

/** Several report files of one run (surefire writes one a class) as one. */
export function mergeTestReports(reports: readonly TestReport[]): TestReport {
  const announced = reports.every((report) => report.announced !== null)
    ? reports.reduce((sum, report) => sum + (report.announced ?? 0), 0)
    : null;
  return {
    problems: reports.flatMap((report) => report.problems).slice(0, 100),
    announced,
    cases: reports.flatMap((report) => report.cases),
  };
}

export function mergeLintReports(reports: readonly LintReport[]): LintReport {
  return {
    problems: reports.flatMap((report) => report.problems).slice(0, 100),
    findings: reports.flatMap((report) => report.findings),
  };
}
