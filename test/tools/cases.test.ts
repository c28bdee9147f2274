/** docs/cases.md promises a test for every row: this one reads the table and looks for each. */
import { describe, expect, it } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");
const rows = readFileSync(path.join(root, "docs/cases.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, no, what, file, test] = /^\| +(\d+) +\| (.+?) +\| `([^`]+)` (.+?) +\|$/u.exec(line) ?? [];
    return no === undefined || what === undefined || file === undefined || test === undefined
      ? []
      : [{ no: Number(no), file, test }];
  });

describe("the table of cases", () => {
  it("has a row for each, in order", () => {
    expect(rows.map(({ no }) => no)).toEqual([...new Set(rows.map(({ no }) => no))].toSorted((a, b) => a - b));
    expect(rows).toHaveLength(
      readFileSync(path.join(root, "docs/cases.md"), "utf8")
        .split("\n")
        .filter((line) => /^\| +\d/u.test(line)).length,
    );
    expect(rows.length).toBeGreaterThan(60);
  });

  it.each(rows)("$no: $file has a test that $test", ({ file, test }) => {
    const place = path.join(root, "test", `${file}.test.ts`);
    expect(existsSync(place)).toBe(true);
    expect(readFileSync(place, "utf8")).toContain(test);
  });
});
