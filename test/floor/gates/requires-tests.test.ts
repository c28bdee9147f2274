import { describe, expect, it } from "@jest/globals";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import type { Change } from "../../../src/floor/floor-input.ts";
import { captures, floorConfig, floorInput, FORK, modify } from "../support/build-captures.ts";
import { outcomeOf } from "../support/violations.ts";

const counted = [
  { path: "test/a.test.js", count: 5, strong: 5, hollow: 0 },
  { path: "test/empty.test.js", count: 0, strong: 0, hollow: 0 },
];

function judge(changes: readonly Change[], files: readonly string[] = []): string | undefined {
  const scope = { allowed: changes.map(({ path }) => path), protectedAllowed: [], requiresTests: true };
  const config = floorConfig({ tests: { files } });
  return outcomeOf(
    computeFloor(floorInput({ changes, scope, config, captures: captures({ assertions: counted }) })),
    7,
  );
}

describe("gate 7, tests are required", () => {
  it("passes when a test file with assertions is added or modified", () => {
    expect(judge([modify("src/a.js"), modify("test/a.test.js")])).toBe("pass");
    expect(judge([modify("src/a.js"), modify("test/other.bats", { kind: "add", text: "@test x" })])).toBe("pass");
  });

  it.each([
    ["no test file", modify("src/b.js")],
    ["a deleted test file", modify("test/a.test.js", { kind: "delete" })],
    ["an emptied test file", modify("test/a.test.js", { text: " \n" })],
    ["a test file that asserts nothing", modify("test/empty.test.js", { kind: "add" })],
    [
      "a test file that was only renamed",
      modify("test/a.test.js", { previousPath: "test/b.test.js", text: "x", previousText: "x" }),
    ],
    ["a link with a test file's name", modify("test/a.test.js", { mode: "120000", symlinkTarget: "b.js" })],
  ])("fails on %s", (_, change) => {
    expect(judge([modify("src/a.js"), change])).toBe("fail");
  });

  it("goes by the configured names of test files", () => {
    expect(judge([modify("checks/a.js", { kind: "add", text: "x" })], ["checks/**"])).toBe("pass");
    expect(judge([modify("test/a.test.js")], ["checks/**"])).toBe("fail");
  });

  it("sees tests that stand beside the code, as in Rust, by their assertions", () => {
    const lib = (count: number): typeof counted => [{ path: "src/lib.rs", count, strong: count, hollow: 0 }];
    const scope = { allowed: ["src/lib.rs"], protectedAllowed: [], requiresTests: true };
    const of = (was: number, now: number): string | undefined =>
      outcomeOf(
        computeFloor(
          floorInput({
            changes: [modify("src/lib.rs")],
            scope,
            captures: captures({ assertions: lib(now) }),
            baseline: captures({ commit: FORK, assertions: lib(was) }),
          }),
        ),
        7,
      );
    expect(of(2, 3)).toBe("pass");
    expect(of(2, 2)).toBe("fail");
  });
});
