import { describe, expect, it } from "@jest/globals";
import { readTestReport, type TestReportFormat } from "../../../src/floor/readers/read-test-report.ts";
import { countCases, listCases, readFixture, REPO, unverified } from "../support/fixtures.ts";

describe("reports of real tools", () => {
  it.each<[TestReportFormat, string, number, number, number]>([
    ["junit", "node-test.junit.xml", 9, 2, 2],
    ["tap", "node-test.tap", 9, 2, 2],
    ["tap", "node-test-parent.tap", 3, 1, 0],
    ["vitest-json", "vitest.json", 6, 2, 2],
    ["junit", "vitest.junit.xml", 6, 2, 2],
    ["junit", "mocha-xunit.junit.xml", 6, 2, 2],
    ["junit", "mocha-junit-reporter.junit.xml", 6, 2, 0],
    ["tap", "mocha.tap", 6, 2, 2],
    ["tap", "tape.tap", 2, 1, 1],
    ["junit", "pytest-xunit1.junit.xml", 7, 3, 2],
    ["junit", "pytest-xunit2.junit.xml", 7, 3, 2],
    ["libtest", "cargo-test.txt", 4, 1, 1],
    ["tap", "bats.tap", 2, 1, 1],
    ["tap", "perl.tap", 4, 1, 2],
    ["junit", "surefire.junit.xml", 3, 2, 1],
  ])("%s %s: %i passed, %i failed, %i skipped", (format, name, passed, failed, skipped) => {
    const report = readFixture(format, name);
    expect(report.problems).toEqual([]);
    expect(countCases(report)).toEqual({ passed, failed, skipped });
    expect([null, report.cases.length]).toContain(report.announced);
  });

  it.each<[TestReportFormat, string, number, number, number]>([
    ["junit", "nextest.junit.xml", 2, 1, 0],
    ["junit", "gradle.junit.xml", 1, 1, 1],
    ["junit", "gotestsum.junit.xml", 1, 1, 0],
  ])("and of their documentation: %s %s", (format, name, passed, failed, skipped) => {
    const report = readTestReport(format, unverified(name), REPO);
    expect(report.problems).toEqual([]);
    expect(countCases(report)).toEqual({ passed, failed, skipped });
  });

  it("name file, suites and test, also in other scripts", () => {
    expect(listCases(readFixture("junit", "node-test.junit.xml"))).toEqual([
      "passed sample.test.mjs › adds",
      'passed sample.test.mjs › größer & <kleiner> "quoted" 日本語',
      "failed sample.test.mjs › fails",
      "skipped sample.test.mjs › is skipped",
      "skipped sample.test.mjs › is to do",
      "passed sample.test.mjs › value 1",
      "passed sample.test.mjs › value 2",
      "passed sample.test.mjs › value 3",
      "passed sample.test.mjs › outer # suite > inner",
      "passed sample.test.mjs › outer # suite > deep > deepest",
      "failed sample.test.mjs › outer # suite > deep > throws",
      "passed sample.test.mjs › same name",
      "passed sample.test.mjs › same name",
    ]);
    expect(listCases(readFixture("junit", "pytest-xunit1.junit.xml"))).toContain(
      "passed test_sample.py › TestClass > test_inner",
    );
    expect(listCases(readFixture("junit", "surefire.junit.xml"))).toContain(
      "passed org.example.SampleTest › value(String)[2]",
    );
    expect(listCases(readFixture("libtest", "cargo-test.txt"))).toContain("passed sample › src/lib.rs - add (line 5)");
    expect(listCases(readFixture("tap", "perl.tap"))).toContain("passed outer # suite > deep > deepest");
  });

  it("give the same names in one tool's several forms", () => {
    const names = (report: ReturnType<typeof readFixture>): readonly string[] =>
      report.cases.map((test) => `${test.status} ${test.name}`).sort();
    expect(names(readFixture("junit", "node-test.junit.xml"))).toEqual(names(readFixture("tap", "node-test.tap")));
    expect(names(readFixture("junit", "vitest.junit.xml"))).toEqual(names(readFixture("vitest-json", "vitest.json")));
  });

  it("say why and where a test failed", () => {
    const failed = readFixture("tap", "node-test.tap").cases.find((test) => test.name.endsWith("throws"));
    expect(failed).toMatchObject({ path: "sample.test.mjs", line: 20, message: expect.stringContaining("boom") });
    const rust = readFixture("libtest", "cargo-test.txt").cases.find((test) => test.name === "tests::fails");
    expect(rust?.message).toContain("größer 日本語");
    const python = readFixture("junit", "pytest-xunit1.junit.xml").cases.find((test) => test.name === "test_fails");
    expect(python).toMatchObject({
      path: "test_sample.py",
      line: 8,
      message: expect.stringContaining("AssertionError"),
    });
  });

  it("are not fooled by what a test prints", () => {
    for (const name of ["node-test.junit.xml", "pytest-xunit1.junit.xml", "surefire.junit.xml"])
      expect(listCases(readFixture("junit", name)).join("\n")).not.toContain("forged");
    expect(listCases(readFixture("tap", "bats.tap")).join("\n")).not.toContain("forged");
    expect(listCases(readFixture("libtest", "cargo-test.txt")).join("\n")).not.toContain("forged");
  });
});

describe("reports that leave something out are no evidence", () => {
  it("when node:test does not show that a test with subtests failed by itself", () => {
    expect(readFixture("junit", "node-test-parent.junit.xml").problems).toEqual([
      expect.stringContaining("counts 1 failures and the report shows 0"),
    ]);
  });

  it("when a file could not be loaded", () => {
    expect(readFixture("jest-json", "jest.json").problems).toEqual([
      expect.stringContaining("broken.test.js failed without a failed test"),
    ]);
  });

  it("when jest-junit counts other tests than it lists", () => {
    expect(readFixture("junit", "jest-junit.junit.xml").problems).toEqual([
      expect.stringContaining("announces 9 tests and holds 10"),
    ]);
  });

  it("when a Go package does not build, or a test prints a result of its own making", () => {
    expect(readFixture("go-test-json", "go-test.json").problems).toEqual([
      "the package example.org/sample/broken did not build",
      "the test TestForged of example.org/sample has a result though it never started",
    ]);
  });
});
