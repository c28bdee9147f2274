/** docs/cases.md promises tests for every row: this one reads the table and looks for each. */
import { describe, expect, it } from "@jest/globals";
import { parser } from "@lezer/javascript";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");
const lines = readFileSync(path.join(root, "docs/cases.md"), "utf8").split("\n");
const rows = lines.flatMap((line) => {
  const [, no, cell] = /^\| +(\d+) +\| .+? +\| (`.+) \|$/u.exec(line) ?? [];
  if (no === undefined || cell === undefined) return [];
  const tests = cell.split("<br>").map((entry) => {
    const [, file = "", test = ""] = /^`([^`]+)` (.+)$/u.exec(entry.trim()) ?? [];
    return { file, test };
  });
  return [{ no: Number(no), tests }];
});

/** The numbers of the collected reports. */
const REPORTS = [
  1, 2, 4, 6, 7, 8, 9, 11, 13, 16, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28, 30, 32, 34, 35, 36, 37, 39, 40, 41, 42, 44,
  45, 46, 47, 48, 50, 51, 53, 54, 56, 57, 59, 60, 62, 64, 65, 67, 68, 69, 71, 73, 74, 75, 77, 79, 80, 82, 83, 86, 87,
  88, 89, 90, 93,
];

const typescript = parser.configure({ dialect: "ts" });

/** What the calls of `it` and `it.each(…)` are named, without those that are skipped or still to be written. */
function listTests(source: string): readonly string[] {
  const names: string[] = [];
  typescript.parse(source).iterate({
    enter: ({ node }) => {
      if (node.name !== "CallExpression") return;
      const [callee, args] = [node.firstChild, node.lastChild];
      if (callee === null || args?.name !== "ArgList") return;
      const called = source.slice(callee.from, callee.to);
      if (called !== "it" && !(/^it\.each[<(]/u.test(called) && callee.name === "CallExpression")) return;
      const name = args.firstChild?.nextSibling;
      if (name?.name === "String") names.push(JSON.parse(source.slice(name.from, name.to)) as string);
    },
  });
  return names;
}

describe("the table of cases", () => {
  it("has a row for each report, in order", () => {
    expect(rows.map(({ no }) => no)).toEqual(REPORTS);
    expect(rows).toHaveLength(lines.filter((line) => /^\| +\d/u.test(line)).length);
  });

  it.each(rows.flatMap(({ no, tests }) => tests.map((test) => ({ no, ...test }))))(
    "$no: $file has a test that $test",
    ({ file, test }) => {
      const place = path.join(root, "test", `${file}.test.ts`);
      expect(existsSync(place)).toBe(true);
      expect(listTests(readFileSync(place, "utf8"))).toContain(test);
    },
  );

  it("takes no test for one that is skipped, commented out, or only named alike", () => {
    const source = `it("runs", f); it.each([1])("runs with %i", f); it.each<[a: number]>([[1]])("is typed", f);
      it.skip("skipped", f); it.each.skip([1])("skipped, too", f); // it("commented", f)
      xit("crossed out", f); it.todo("later"); call("named");`;
    expect(listTests(source)).toEqual(["runs", "runs with %i", "is typed"]);
  });
});
