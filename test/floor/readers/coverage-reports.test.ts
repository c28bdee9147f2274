import { describe, expect, it } from "@jest/globals";
import { readCoverageReport, type CoverageReportFormat } from "../../../src/floor/readers/read-coverage-report.ts";
import { fixture } from "../support/fixtures.ts";

describe("coverage reports of real tools", () => {
  it.each<[CoverageReportFormat, string, ReadonlyArray<number | null>]>([
    ["lcov", "c8.lcov", [76.92, 75, 50, null]],
    ["cobertura", "c8.cobertura.xml", [76.92, 75, null, null]],
    ["istanbul-summary", "c8.summary.json", [76.92, 75, 50, 76.92]],
    ["coverage-py-json", "coverage-py.json", [71.42, 50, null, 71.42]],
    ["cobertura", "coverage-py.cobertura.xml", [71.42, 50, null, null]],
    ["lcov", "coverage-py.lcov", [71.42, 50, null, null]],
  ])("%s %s", (format, name, [lines, branches, functions, statements]) => {
    expect(readCoverageReport(format, fixture(name))).toEqual({ problems: [], lines, branches, functions, statements });
  });

  it("never round up to a threshold", () => {
    const summary = { total: { lines: { total: 10_000, covered: 8999, pct: 90 } } };
    expect(readCoverageReport("istanbul-summary", JSON.stringify(summary)).lines).toBe(89.99);
  });
});

describe("coverage reports that are no evidence", () => {
  it.each<[CoverageReportFormat, string]>([
    ["lcov", ""],
    ["lcov", "nothing"],
    ["lcov", fixture("c8.lcov").slice(0, -20)],
    ["lcov", "SF:a\nLF:1\nLH:2\nend_of_record\n"],
    ["cobertura", fixture("c8.cobertura.xml").slice(0, -30)],
    ["cobertura", "<testsuite/>"],
    ["cobertura", '<coverage line-rate="7"/>'],
    ["cobertura", '<coverage lines-valid="0" lines-covered="0" line-rate="1"/>'],
    ["istanbul-summary", "{}"],
    ["istanbul-summary", '{"total":{"lines":{"total":1,"covered":2}}}'],
    ["coverage-py-json", "{}"],
    ["coverage-py-json", '{"totals":{"covered_lines":2,"num_statements":1}}'],
  ])("%s %p", (format, text) => {
    const report = readCoverageReport(format, text);
    expect(report.problems).toHaveLength(1);
    expect(report.lines).toBeNull();
  });
});
