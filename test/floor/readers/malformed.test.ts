import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { readTestReport, type TestReportFormat } from "../../../src/floor/readers/read-test-report.ts";
import { fixture, listCases, readFixture, REPO } from "../support/fixtures.ts";

const formats: readonly TestReportFormat[] = ["junit", "tap", "go-test-json", "jest-json", "vitest-json", "libtest"];

describe("malformed never reads as a pass", () => {
  it.each(formats)("%s: an empty report, prose and another format are problems", (format) => {
    for (const text of [
      "",
      " \n",
      "all tests passed",
      "<html></html>",
      "{}",
      "[]",
      "null",
      "\0\0\0",
      '{"testResults":1}',
    ])
      expect(readTestReport(format, text).problems).not.toEqual([]);
  });

  it.each<[string, string]>([
    ["an unclosed root", '<testsuites><testcase name="a"/>'],
    ["an unclosed case", '<testsuites><testcase name="a"></testsuites>'],
    ["two roots", '<testsuite tests="0"/><testsuite tests="0"/>'],
    ["an undefined entity", '<testsuite><testcase name="&who;"/></testsuite>'],
    ["text after the end", "<testsuite/>x"],
    ["an attribute without quotes", "<testsuite><testcase name=a/></testsuite>"],
    ["another root", '<coverage><testcase name="a"/></coverage>'],
    ["a suite that announces more", '<testsuite tests="2"><testcase name="a"/></testsuite>'],
    [
      "a root that announces more",
      '<testsuites tests="2"><testsuite tests="2"><testcase name="a"/></testsuite></testsuites>',
    ],
    ["a case without a name", '<testsuite tests="1"><testcase/></testsuite>'],
  ])("junit: %s", (_, text) => {
    const report = readTestReport("junit", text);
    expect(report.problems.length > 0 || report.announced !== report.cases.length).toBe(true);
  });

  it("junit: entities are neither expanded nor fetched", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${"x".repeat(1000)}"><!ENTITY b "${"&a;".repeat(1000)}"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    for (const entity of ["&b;", "&f;"]) {
      const report = readTestReport(
        "junit",
        `${bomb}<testsuite tests="1"><testcase name="a"><failure>${entity}</failure></testcase></testsuite>`,
      );
      expect(report.problems).toEqual([expect.stringContaining("undefined entity")]);
      expect(JSON.stringify(report).length).toBeLessThan(2000);
    }
  });

  it.each<[string, string]>([
    ["no plan", "TAP version 13\nok 1 - a\n"],
    ["a plan that is not kept", "TAP version 13\nok 1 - a\n1..2\n"],
    ["more than the plan", "1..1\nok 1 - a\nok 2 - b\n"],
    ["two plans", "1..1\nok 1 - a\n1..1\n"],
    ["a bail out", "1..1\nok 1 - a\nBail out! disk full\n"],
    ["subtests without a parent", "TAP version 14\n    ok 1 - a\n    1..1\n1..0\n"],
    ["subtests without a plan", "TAP version 14\n    ok 1 - a\nok 1 - b\n1..1\n"],
    ["a diagnostic block without an end", "TAP version 14\nnot ok 1 - a\n  ---\n  error: x\n1..1\n"],
    ["an open brace", "TAP version 14\nok 1 - a {\n    ok 1 - b\n    1..1\n1..1\n"],
  ])("tap: %s", (_, text) => {
    expect(readTestReport("tap", text).problems).not.toEqual([]);
  });

  it.each<[string, string]>([
    ["a crashed target", "running 2 tests\ntest a ... ok\n"],
    [
      "a count that is not kept",
      "running 2 tests\ntest a ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
    ],
    [
      "filtered tests",
      "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n",
    ],
  ])("libtest: %s", (_, text) => {
    expect(readTestReport("libtest", text).problems).not.toEqual([]);
  });

  it("go: a test or package without a result", () => {
    const event = (change: object): string => JSON.stringify({ Package: "p", ...change });
    const start = [event({ Action: "run", Test: "TestA" })];
    expect(readTestReport("go-test-json", start.join("\n")).problems).toHaveLength(2);
    const ended = [...start, event({ Action: "pass", Test: "TestA" }), event({ Action: "pass" })];
    expect(readTestReport("go-test-json", ended.join("\n"))).toMatchObject({
      problems: [],
      cases: [{ name: "TestA", status: "passed" }],
    });
    const failed = [...start, event({ Action: "pass", Test: "TestA" }), event({ Action: "fail" })];
    expect(readTestReport("go-test-json", failed.join("\n")).problems).toEqual([
      expect.stringContaining("failed without a failed test"),
    ]);
  });
});

/** Cut anywhere, a report either says so or holds the very same tests. */
function staysHonest(format: TestReportFormat, name: string): void {
  const text = fixture(name);
  const whole = readFixture(format, name);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 1 }), (end) => {
      const cut = readTestReport(format, text.slice(0, end), REPO);
      if (cut.problems.length === 0 && cut.announced !== null && cut.announced !== cut.cases.length) return;
      if (cut.problems.length === 0) expect(listCases(cut)).toEqual(listCases(whole));
    }),
    { numRuns: 300 },
  );
}

describe("a report that is cut off anywhere", () => {
  it.each<[TestReportFormat, string]>([
    ["junit", "node-test.junit.xml"],
    ["junit", "pytest-xunit2.junit.xml"],
    ["junit", "surefire.junit.xml"],
    ["tap", "node-test.tap"],
    ["tap", "perl.tap"],
    ["tap", "tape.tap"],
    ["jest-json", "vitest.json"],
  ])("never passes for a shorter one: %s %s", (format, name) => {
    staysHonest(format, name);
  });

  it("crashes no reader, whatever comes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...formats), fc.string({ unit: "grapheme", maxLength: 200 }), (format, text) => {
        expect(() => readTestReport(format, text)).not.toThrow();
      }),
    );
  });
});

describe("byte order marks and line ends", () => {
  it("change nothing", () => {
    for (const [format, name] of [
      ["junit", "node-test.junit.xml"],
      ["tap", "node-test.tap"],
      ["vitest-json", "vitest.json"],
    ] as const) {
      const text = `\u{FEFF}${fixture(name).replaceAll("\n", "\r\n")}`;
      expect(listCases(readTestReport(format, text, REPO))).toEqual(listCases(readFixture(format, name)));
    }
  });
});
