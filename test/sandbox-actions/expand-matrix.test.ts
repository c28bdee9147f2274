import { describe, expect, it } from "@jest/globals";
import { expandMatrix, formatMatrixSuffix } from "../../src/sandbox/actions/expand-matrix.ts";

describe("a matrix", () => {
  it("is the product of its axes in the order of the file", () => {
    expect(expandMatrix({ os: ["a", "b"], node: [20, 24] })).toEqual([
      { os: "a", node: 20 },
      { os: "a", node: 24 },
      { os: "b", node: 20 },
      { os: "b", node: 24 },
    ]);
  });

  it("leaves out what exclude names, in part or in full", () => {
    expect(expandMatrix({ os: ["a", "b"], node: [20, 24], exclude: [{ os: "a", node: 20 }, { os: "b" }] })).toEqual([
      { os: "a", node: 24 },
    ]);
  });

  // The example of https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstrategymatrixinclude
  it("extends combinations by include, or adds one where an original value would be overwritten", () => {
    const expanded = expandMatrix({
      fruit: ["apple", "pear"],
      animal: ["cat", "dog"],
      include: [
        { color: "green" },
        { color: "pink", animal: "cat" },
        { fruit: "apple", shape: "circle" },
        { fruit: "banana" },
        { fruit: "banana", animal: "cat" },
      ],
    });
    expect(expanded).toEqual([
      { fruit: "apple", animal: "cat", color: "pink", shape: "circle" },
      { fruit: "apple", animal: "dog", color: "green", shape: "circle" },
      { fruit: "pear", animal: "cat", color: "pink" },
      { fruit: "pear", animal: "dog", color: "green" },
      { fruit: "banana" },
      { fruit: "banana", animal: "cat" },
    ]);
  });

  it("may consist of include alone", () => {
    expect(expandMatrix({ include: [{ a: 1 }, { a: 2 }] })).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it.each([
    ["a text as axis", { os: "a" }, "not a list"],
    ["nothing left", { os: ["a"], exclude: [{ os: "a" }] }, "at least one"],
    ["257 jobs", { n: Array.from({ length: 257 }, (_, n) => n) }, "at most 256"],
  ])("with %s is refused", (_what, matrix, message) => {
    expect(() => expandMatrix(matrix)).toThrow(message);
  });

  it("shows in the job's name", () => {
    expect([formatMatrixSuffix({ os: "a", node: 20, dry: false }), formatMatrixSuffix({})]).toEqual([
      " (a, 20, false)",
      "",
    ]);
  });
});
