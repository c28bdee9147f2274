import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { capProblems, formatFound, formatPlace, formatPointer, ProblemList } from "../../src/plan/problem-list.ts";
import { findNearest, suggestNearest } from "../../src/plan/suggest-nearest.ts";

describe("the nearest name", () => {
  it.each<[string, string[], string | null]>([
    ["auth-apl", ["auth-api", "auth-ui"], "auth-api"],
    ["auth", ["auht"], "auht"],
    ["store", ["sotre"], "sotre"],
    ["store", ["tsore"], "tsore"],
    ["abcd", ["bcda"], null],
    ["Store", ["store"], "store"],
    ["store", ["store"], null],
    ["stor", ["store"], "store"],
    ["stores", ["store"], "store"],
    ["ab", ["ac"], "ac"],
    ["ab", ["cd"], null],
    ["a", ["b"], "b"],
    ["", ["a"], "a"],
    ["abcdef", ["abcdxy"], "abcdxy"],
    ["abcdef", ["abcxyz"], null],
    ["abcdefghi", ["abcdefxyz"], "abcdefxyz"],
    ["abcdefghijklmno", ["abcdefghijkwxyz"], null],
    ["abcde", ["axcde", "abxde"], "axcde"],
    ["abcdefghi", ["abcdexyhi", "abcdexghi"], "abcdexghi"],
    ["hihg", ["code", "mid", "high"], "high"],
    ["abc", ["axb"], null],
    ["abc", ["acx"], null],
    ["abcdef", ["bacdxy"], null],
    ["kitten", ["sitting", "mitten"], "mitten"],
    ["abc", [], null],
  ])("to %j among %j is %j", (name, known, nearest) => {
    expect(findNearest(name, known)).toBe(nearest);
    expect(suggestNearest(name, known)).toBe(nearest === null ? "" : `; did you mean ${JSON.stringify(nearest)}?`);
  });

  it("is not looked for when the name is very long", () => {
    const long = "x".repeat(100);
    expect(findNearest(long, [`${long}y`])).toBe(`${long}y`);
    expect(findNearest(`${long}y`, [long])).toBeNull();
  });

  it("is within one edit of any edited name of three letters or more", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "e", "f"), minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(name, fc.nat(), fc.nat({ max: 3 }), (known, at, way) => {
        const offset = at % (known.length - 1);
        const edits = [
          known.slice(0, offset) + known.slice(offset + 1),
          `${known.slice(0, offset)}z${known.slice(offset)}`,
          `${known.slice(0, offset)}z${known.slice(offset + 1)}`,
          known.slice(0, offset) + known[offset + 1]! + known[offset]! + known.slice(offset + 2),
        ];
        const edited = edits[way]!;
        expect(findNearest(edited, ["~~~~~~~~~~~~~~~~~~", known])).toBe(edited === known ? null : known);
      }),
    );
  });
});

describe("a place", () => {
  it.each<[(string | number)[], string, string]>([
    [[], "", "the document"],
    [["chunks", 2, "deps", 0], "/chunks/2/deps/0", "chunks[2].deps[0]"],
    [["a-b", "c_d", "_e"], "/a-b/c_d/_e", "a-b.c_d._e"],
    [["a/b", "~"], "/a~1b/~0", '["a/b"]["~"]'],
    [["", "9x", "x y"], "//9x/x y", '[""]["9x"]["x y"]'],
    [[3], "/3", "[3]"],
  ])("%j is %j for machines and %j for people", (path, pointer, place) => {
    expect([formatPointer(path), formatPlace(path)]).toEqual([pointer, place]);
  });
});

describe("what was found", () => {
  it.each([
    [undefined, "nothing"],
    [null, "null"],
    [true, "true"],
    [-0, "0"],
    [1.5, "1.5"],
    [Number.NaN, "NaN"],
    [[], "an empty list"],
    [[1, 2], "a list of 2"],
    [{}, "an object"],
    ["x", '"x"'],
    ["x".repeat(80), `"${"x".repeat(80)}"`],
    ["x".repeat(81), `"${"x".repeat(80)}…"`],
    [`${"x".repeat(79)}\u{1F600}`, `"${"x".repeat(79)}\ufffd…"`],
    ["a\u200bb\u00a0c d\u2028", '"a\\u{200b}b\\u{a0}c d\\u{2028}"'],
    ["\u001b[31m", '"\\u001b[31m"'],
  ])("is told for %j", (value, text) => {
    expect(formatFound(value)).toBe(text);
  });
});

describe("a list of problems", () => {
  const problem = { pointer: "/a", rule: "r", message: "m" };

  it("keeps as many as it should and counts the others", () => {
    const list = new ProblemList(2);
    expect([list.isEmpty, list.list()]).toEqual([true, []]);
    list.add(["a"], "r", { message: "m" });
    list.add(["a"], "r", { message: "m" });
    expect([list.isEmpty, list.list()]).toEqual([false, [problem, problem]]);
    list.add(["b"], "r", { message: "m" });
    expect(list.list()).toEqual([
      problem,
      problem,
      {
        pointer: "",
        rule: "more-problems",
        message: "1 more problem not shown",
        found: "1 more problem",
        allowed: "none",
      },
    ]);
  });

  it("is cut at a hundred", () => {
    const hundred = Array.from({ length: 100 }, () => problem);
    expect(capProblems(hundred)).toBe(hundred);
    expect(capProblems([...hundred, problem, problem])).toEqual([
      ...hundred,
      {
        pointer: "",
        rule: "more-problems",
        message: "2 more problems not shown",
        found: "2 more problems",
        allowed: "none",
      },
    ]);
  });
});
