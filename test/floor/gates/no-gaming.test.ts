import { describe, expect, it } from "@jest/globals";
import type { Captures, TestCase } from "../../../src/contracts/captures.ts";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import type { FloorInput } from "../../../src/floor/floor-input.ts";
import { captures, floorInput, FORK, modify, testCase, tests } from "../support/build-captures.ts";
import { listRules } from "../support/violations.ts";

function judge(
  cases: readonly TestCase[],
  change: Partial<FloorInput> = {},
  more: Partial<Captures> = {},
): readonly string[] {
  return listRules(computeFloor(floorInput({ captures: captures({ tests: tests(cases), ...more }), ...change })));
}

const adds = testCase("adds");
const subtracts = testCase("subtracts");

describe("gate 4, tests may not vanish", () => {
  it("fails when a test is deleted, renamed or skipped", () => {
    expect(judge([adds])).toEqual(["4 missing-test test/a.test.js"]);
    expect(judge([adds, testCase("subtracts well")])).toEqual(["4 missing-test test/a.test.js"]);
    expect(judge([adds, { ...subtracts, status: "skipped" }])).toEqual(["4 newly-skipped test/a.test.js"]);
  });

  it("also guards tests that failed before", () => {
    const baseline = captures({ commit: FORK, tests: tests([adds, { ...subtracts, status: "failed" }]) });
    expect(judge([adds], { baseline })).toEqual(["4 missing-test test/a.test.js"]);
    expect(judge([adds, { ...subtracts, status: "skipped" }], { baseline })).toEqual([
      "4 newly-skipped test/a.test.js",
    ]);
  });

  it("guards tests that landed since the fork", () => {
    const tip = captures({ commit: "b".repeat(40), tests: tests([adds, subtracts, testCase("landed")]) });
    expect(judge([adds, subtracts], { tip })).toEqual(["4 missing-test test/a.test.js"]);
  });

  it("allows new tests, new skipped tests, and a skipped test that runs again", () => {
    const baseline = captures({ commit: FORK, tests: tests([adds, { ...subtracts, status: "skipped" }]) });
    expect(judge([adds, subtracts, testCase("later", { status: "skipped" })], { baseline })).toEqual([]);
  });
});

const moved = { target: "test/b.test.js", path: "test/b.test.js" };
const scope = { allowed: ["test/a.test.js", "test/b.test.js"], protectedAllowed: [], requiresTests: false };
const renamed = [modify("test/a.test.js", { kind: "delete" }), modify("test/b.test.js", { kind: "add" })];
const both = [testCase("adds", moved), testCase("subtracts", moved)];

describe("gate 4, tests may move", () => {
  it("finds the tests of a renamed file again", () => {
    const assertions = [{ path: "test/b.test.js", count: 4, strong: 4, hollow: 0 }];
    expect(judge(both, { scope, changes: renamed }, { assertions })).toEqual([]);
  });

  it("finds a test again that moved from one file of the scope to another", () => {
    const assertions = [
      { path: "test/a.test.js", count: 2, strong: 2, hollow: 0 },
      { path: "test/b.test.js", count: 2, strong: 2, hollow: 0 },
    ];
    const changes = [modify("test/a.test.js"), modify("test/b.test.js", { kind: "add" })];
    expect(judge([adds, testCase("subtracts", moved)], { scope, changes }, { assertions })).toEqual([]);
  });

  it("does not when assertions were lost on the way", () => {
    const assertions = [{ path: "test/b.test.js", count: 3, strong: 3, hollow: 0 }];
    expect(judge(both, { scope, changes: renamed }, { assertions })).toEqual([
      "4 fewer-assertions test/a.test.js",
      "4 missing-test test/a.test.js",
      "4 missing-test test/a.test.js",
    ]);
  });

  it("does not when the new file is outside of the scope, or was not changed", () => {
    const assertions = [{ path: "test/b.test.js", count: 4, strong: 4, hollow: 0 }];
    const narrow = { ...scope, allowed: ["test/a.test.js"] };
    expect(judge(both, { scope: narrow, changes: renamed }, { assertions })).toContain("4 missing-test test/a.test.js");
    const other = { ...scope, allowed: ["test/b.test.js"] };
    expect(judge(both, { scope: other, changes: renamed }, { assertions })).toContain("4 missing-test test/a.test.js");
    const untouched = [modify("test/a.test.js", { kind: "delete" })];
    expect(judge(both, { scope, changes: untouched }, { assertions })).toContain("4 missing-test test/a.test.js");
  });

  it("does not let one new test stand for two lost ones", () => {
    const twin = testCase("adds", { target: "test/c.test.js", path: "test/c.test.js" });
    const wide = { ...scope, allowed: [...scope.allowed, "test/c.test.js"] };
    const baseline = captures({ commit: FORK, tests: tests([adds, twin]), assertions: [] });
    const changes = [...renamed, modify("test/c.test.js", { kind: "delete" })];
    const found = judge([testCase("adds", moved)], { scope: wide, changes, baseline }, { assertions: [] });
    expect(found.filter((rule) => rule.startsWith("4 missing-test"))).toHaveLength(1);
  });

  it("counts a moved test that is skipped now as skipped", () => {
    const assertions = [{ path: "test/b.test.js", count: 4, strong: 4, hollow: 0 }];
    const cases = [testCase("adds", moved), testCase("subtracts", { ...moved, status: "skipped" })];
    expect(judge(cases, { scope, changes: renamed }, { assertions })).toEqual(["4 newly-skipped test/b.test.js"]);
  });
});

describe("gate 4, assertions", () => {
  const changes = [modify("test/a.test.js")];
  const path = "test/a.test.js";
  it.each([
    ["fewer", { count: 3, strong: 3, hollow: 0 }, ["4 fewer-assertions test/a.test.js"]],
    ["as many, but weaker ones", { count: 4, strong: 3, hollow: 0 }, ["4 weaker-assertions test/a.test.js"]],
    [
      "one more test that asserts nothing",
      { count: 5, strong: 5, hollow: 1 },
      ["4 test-without-assertion test/a.test.js"],
    ],
    ["more", { count: 5, strong: 4, hollow: 0 }, []],
  ])("judges a changed test file with %s", (_, counts, expected) => {
    expect(judge([adds, subtracts], { changes }, { assertions: [{ path, ...counts }] })).toEqual(expected);
  });

  it("compares with the chunk's own base, so that a landed chunk's loss is not blamed on this one", () => {
    const base = captures({ commit: "b".repeat(40), assertions: [{ path, count: 2, strong: 2, hollow: 0 }] });
    expect(
      judge([adds, subtracts], { changes, base }, { assertions: [{ path, count: 2, strong: 2, hollow: 0 }] }),
    ).toEqual([]);
  });

  it("sees a test file that was deleted though its tests still run from elsewhere", () => {
    const gone = [modify(path, { kind: "delete" })];
    expect(judge([adds, subtracts], { changes: gone }, { assertions: [] })).toEqual([
      "4 fewer-assertions test/a.test.js",
    ]);
  });
});
