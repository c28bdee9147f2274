import { describe, expect, it } from "@jest/globals";
import type { LintFinding } from "../../../src/contracts/captures.ts";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import { captures, floorConfig, floorInput, FORK, lint, LINT_COMMAND, modify } from "../support/build-captures.ts";
import { listRules, outcomeOf } from "../support/violations.ts";

const config = floorConfig({ lint: { command: LINT_COMMAND, report: "-", format: "lines" } });
const old: LintFinding = { code: "no-var", package: "", path: "src/a.js", message: "Unexpected var.", line: 3 };

function judge(now: readonly LintFinding[], before: readonly LintFinding[] = [old]): readonly string[] {
  return listRules(
    computeFloor(
      floorInput({
        config,
        captures: captures({ lint: lint(now) }),
        baseline: captures({ commit: FORK, lint: lint(before) }),
      }),
    ),
  );
}

describe("gate 3, lint", () => {
  it("passes when nothing new is reported, wherever the old findings stand now", () => {
    expect(judge([{ ...old, line: 99 }])).toEqual([]);
    expect(judge([])).toEqual([]);
  });

  it.each([
    ["another rule", { ...old, code: "eqeqeq" }],
    ["another message", { ...old, message: "Unexpected var here." }],
    ["another file", { ...old, path: "src/b.js" }],
    ["another package", { ...old, package: "web" }],
  ])("fails on a finding with %s", (_, finding) => {
    expect(judge([old, finding])).toEqual([`3 new-lint ${finding.path}`]);
  });

  it("names the line, so that it can be annotated", () => {
    const result = computeFloor(
      floorInput({
        config,
        captures: captures({ lint: lint([old]) }),
        baseline: captures({ commit: FORK, lint: lint([]) }),
      }),
    );
    expect(result.violations).toEqual([
      expect.objectContaining({ message: "no-var: Unexpected var.", path: "src/a.js", line: 3 }),
    ]);
  });

  it("reports a new finding that stands in many lines once", () => {
    expect(judge([old, { ...old, code: "x", line: 1 }, { ...old, code: "x", line: 2 }])).toEqual([
      "3 new-lint src/a.js",
    ]);
  });

  it("does not blame a change for what landed before it", () => {
    const tip = captures({ commit: "b".repeat(40), lint: lint([old]) });
    const baseline = captures({ commit: FORK, lint: lint([]) });
    expect(computeFloor(floorInput({ config, captures: captures({ lint: lint([old]) }), baseline, tip })).outcome).toBe(
      "pass",
    );
  });

  it.each([
    ["was not captured", null, "3 lint-missing"],
    [
      "crashed without a report",
      { ...lint([]), report: { problems: ["the report is empty"], findings: [] } },
      "3 lint-capture",
    ],
    ["exits with 2 and an empty report", { ...lint([]), capture: { ...lint([]).capture, exit: 2 } }, "3 lint-capture"],
    ["timed out", { ...lint([]), capture: { ...lint([]).capture, exit: null, timedOut: true } }, "3 lint-capture"],
    ["is another command", { ...lint([]), capture: { ...lint([]).capture, command: "true" } }, "3 lint-other-command"],
  ])("is no evidence when the linter %s", (_, capture, rule) => {
    const input = floorInput({
      config,
      captures: captures({ lint: capture }),
      baseline: captures({ commit: FORK, lint: lint([]) }),
    });
    expect(listRules(computeFloor(input))).toEqual([rule]);
  });

  it("is not configured without a linter", () => {
    expect(outcomeOf(computeFloor(floorInput()), 3)).toBe("not-configured");
  });
});

describe("gate 3, suppressions", () => {
  const suppressions = (path: string, count: number): { path: string; count: number }[] => [{ path, count }];

  it("fails when changed files silence more than before, also without a linter", () => {
    const result = computeFloor(floorInput({ captures: captures({ suppressions: suppressions("src/a.js", 1) }) }));
    expect(listRules(result)).toEqual(["3 more-suppressions src/a.js"]);
  });

  it("lets suppressions move with the code, and ignores files that are not changed", () => {
    const baseline = captures({ commit: FORK, suppressions: suppressions("src/old.js", 2) });
    const scope = { allowed: ["src/old.js", "src/new.js"], protectedAllowed: [], requiresTests: false };
    const changes = [modify("src/old.js", { kind: "delete" }), modify("src/new.js", { kind: "add" })];
    const now = captures({ suppressions: [...suppressions("src/new.js", 2), ...suppressions("src/other.js", 5)] });
    expect(computeFloor(floorInput({ baseline, scope, changes, captures: now })).outcome).toBe("pass");
  });
});
