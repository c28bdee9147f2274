import { describe, expect, it } from "@jest/globals";
import { readLintReport, type LintReportFormat } from "../../../src/floor/readers/read-lint-report.ts";
import { fixture, REPO, unverified } from "../support/fixtures.ts";

const read = (format: LintReportFormat, name: string): readonly string[] =>
  readLintReport(format, fixture(name), REPO).findings.map(
    ({ code, path, line, message }) => `${path}:${line} ${code}: ${message}`,
  );

describe("lint reports of real tools", () => {
  it.each<[LintReportFormat, string, readonly string[]]>([
    [
      "eslint-json",
      "eslint.json",
      [
        "broken.js:1 fatal: Parsing error: Unexpected token =",
        "sample.js:1 no-var: Unexpected var, use let or const instead.",
        "sample.js:2 eqeqeq: Expected '===' and instead saw '=='.",
      ],
    ],
    [
      "checkstyle",
      "eslint.checkstyle.xml",
      [
        "broken.js:1 : Parsing error: Unexpected token =",
        "sample.js:1 eslint.rules.no-var: Unexpected var, use let or const instead. (no-var)",
        "sample.js:2 eslint.rules.eqeqeq: Expected '===' and instead saw '=='. (eqeqeq)",
      ],
    ],
    [
      "clippy-json",
      "clippy.json",
      [
        "src/lib.rs:9 unused_variables: unused variable: `unused`",
        "src/lib.rs:10 clippy::needless_return: unneeded `return` statement",
      ],
    ],
    [
      "checkstyle",
      "shellcheck.checkstyle.xml",
      [
        "sample.sh:3 ShellCheck.SC2086: Double quote to prevent globbing and word splitting.",
        'sample.sh:4 ShellCheck.SC2115: Use "${var:?}" to ensure this never expands to / .',
        "sample.sh:4 ShellCheck.SC2154: y is referenced but not assigned.",
        "sample.sh:4 ShellCheck.SC2086: Double quote to prevent globbing and word splitting.",
      ],
    ],
    [
      "lines",
      "flake8.lines.txt",
      [
        "sample.py:1 F401: 'os' imported but unused",
        "sample.py:5 F841: local variable 'y' is assigned to but never used",
        "sample.py:6 F821: undefined name 'X'",
      ],
    ],
    [
      "lines",
      "gcc.lines.txt",
      [
        "sample.c:3 -Wparentheses: suggest parentheses around assignment used as truth value",
        "sample.c:4 -Wint-conversion: returning ‘char *’ from a function with return type ‘int’ makes integer from pointer without a cast",
        "sample.c:2 -Wunused-variable: unused variable ‘unused’",
      ],
    ],
    ["lines", "oxlint.lines.txt", ["broken.js:1 Error: Unexpected token"]],
    ["checkstyle", "oxlint.checkstyle.xml", ["broken.js:1 : Unexpected token"]],
  ])("%s %s", (format, name, expected) => {
    expect(read(format, name)).toEqual(expected);
    expect(readLintReport(format, fixture(name), REPO).problems).toEqual([]);
  });

  it("read every message of pylint and shellcheck as a line", () => {
    expect(read("lines", "pylint.lines.txt")).toHaveLength(9);
    expect(read("lines", "shellcheck.lines.txt")).toHaveLength(4);
  });

  it("take a SARIF run that was not successful for no evidence", () => {
    expect(readLintReport("sarif", fixture("eslint.sarif"), REPO)).toMatchObject({
      problems: ["the tool says that its run was not successful"],
      findings: [
        { code: "no-var", path: "sample.js" },
        { code: "eqeqeq", path: "sample.js" },
      ],
    });
  });

  it("read both forms of golangci-lint, by its documentation", () => {
    expect(readLintReport("golangci-json", unverified("golangci.v1.json"))).toEqual({
      problems: [],
      findings: [
        { code: "errcheck", package: "", path: "main.go", message: "Error return value is not checked", line: 4 },
      ],
    });
    expect(readLintReport("golangci-json", unverified("golangci.v2.txt"))).toEqual({ problems: [], findings: [] });
  });
});

describe("lint reports that are no evidence", () => {
  const formats: readonly LintReportFormat[] = ["eslint-json", "sarif", "checkstyle", "clippy-json", "golangci-json"];
  it.each(formats)("%s: empty, cut off, or of another kind", (format) => {
    for (const text of ["", "Oops! Something went wrong!", "<html/>", '{"a":1}', "{", '[{"filePath":'])
      expect(readLintReport(format, text).problems).not.toEqual([]);
  });

  it("clippy: a stream without its end", () => {
    const cut = fixture("clippy.json")
      .split("\n")
      .filter((line) => !line.includes("build-finished"))
      .join("\n");
    expect(readLintReport("clippy-json", cut).problems).toHaveLength(1);
  });
});

describe("plain lines", () => {
  it.each([
    ["src/a.ts(3,7): error TS2322: Type 'x' is not assignable.", "src/a.ts", "TS2322", 3],
    ["./src/a.py:3:7: E501 line too long", "src/a.py", "E501", 3],
    ["/repo/a.go:12:2: unused variable (unused)", "a.go", "unused", 12],
    ["a.sh:4:8: warning: y is referenced. [SC2154]", "a.sh", "SC2154", 4],
    ["C:\\repo\\a.c:1:1: error: bad", "C:/repo/a.c", "", 1],
    ["\u001b[31ma.js:1:2\u001b[0m: no-var", "a.js", "", 1],
  ])("%s", (line, path, code, number) => {
    expect(readLintReport("lines", line, REPO).findings).toEqual([
      expect.objectContaining({ path, code, line: number }),
    ]);
  });

  it("leave out everything else", () => {
    expect(
      readLintReport("lines", "12:30:45 starting\nFound 3 problems\n  at f (node:internal)\n\nhttps://x.org:80/a b")
        .findings,
    ).toEqual([]);
  });
});
