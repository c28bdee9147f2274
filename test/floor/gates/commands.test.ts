import { describe, expect, it } from "@jest/globals";
import type { CommandCapture } from "../../../src/contracts/captures.ts";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import {
  captures,
  command,
  floorConfig,
  floorInput,
  FORK,
  testCase,
  tests,
  TYPE_COMMAND,
} from "../support/build-captures.ts";
import { listRules, outcomeOf } from "../support/violations.ts";

const deaths: ReadonlyArray<readonly [string, Partial<CommandCapture>, string]> = [
  ["exits with 1", { exit: 1 }, "exit 1"],
  ["runs out of time", { exit: null, timedOut: true, signal: "SIGTERM", durationMs: 600_000 }, "timed out after 600 s"],
  ["is killed", { exit: null, signal: "SIGSEGV" }, "killed by SIGSEGV"],
  ["cannot be started", { exit: null, spawnError: "no such folder" }, "not started: no such folder"],
];

describe("gate 0, the type check", () => {
  it.each(deaths)("fails when it %s", (_, change, now) => {
    const result = computeFloor(floorInput({ captures: captures({ typecheck: command(TYPE_COMMAND, change) }) }));
    expect(result.violations).toEqual([
      expect.objectContaining({ gate: 0, rule: "typecheck-failed", was: "exit 0", now }),
    ]);
  });

  it("fails when it was not captured, or another command was", () => {
    expect(listRules(computeFloor(floorInput({ captures: captures({ typecheck: null }) })))).toEqual([
      "0 typecheck-missing",
    ]);
    const other = captures({ typecheck: command("true") });
    expect(listRules(computeFloor(floorInput({ captures: other })))).toEqual(["0 typecheck-other-command"]);
  });

  it("shows the end of the output as a hint", () => {
    const broken = command(TYPE_COMMAND, { exit: 2, output: "src/a.ts(1,1): error TS2322: no\n" });
    const [violation] = computeFloor(floorInput({ captures: captures({ typecheck: broken }) })).violations;
    expect(violation?.hint).toBe("src/a.ts(1,1): error TS2322: no");
  });
});

describe("gate 0, setup", () => {
  const config = floorConfig({ setup: { command: "npm ci" } });
  it("fails when it fails", () => {
    const broken = captures({ setup: command("npm ci", { exit: 1 }) });
    expect(listRules(computeFloor(floorInput({ config, captures: broken })))).toEqual(["0 setup-failed"]);
    expect(computeFloor(floorInput({ config, captures: captures({ setup: command("npm ci") }) })).outcome).toBe("pass");
  });
});

describe("gate 0, the tests", () => {
  const red = [testCase("adds"), testCase("old bug", { status: "failed" })];

  it("lets a test fail that fails in the baseline, too", () => {
    const result = computeFloor(
      floorInput({
        captures: captures({ tests: tests(red) }),
        baseline: captures({ commit: FORK, tests: tests(red) }),
      }),
    );
    expect(result.outcome).toBe("pass");
  });

  it("fails when a new test fails", () => {
    const now = captures({
      tests: tests([
        testCase("adds"),
        testCase("subtracts"),
        testCase("new", { status: "failed", line: 7, message: "1 !== 2" }),
      ]),
    });
    expect(computeFloor(floorInput({ captures: now })).violations).toEqual([
      expect.objectContaining({
        gate: 0,
        rule: "test-failed",
        path: "test/a.test.js",
        line: 7,
        was: "absent",
        now: "failed",
        hint: "1 !== 2",
      }),
    ]);
  });

  it.each([
    ["exit 0 beside failed tests", tests([testCase("adds", { status: "failed" }), testCase("subtracts")], { exit: 0 })],
    ["exit 1 without a failed test", tests([testCase("adds"), testCase("subtracts")], { exit: 1 })],
    [
      "a timeout after a complete report",
      tests([testCase("adds"), testCase("subtracts")], { exit: null, timedOut: true }),
    ],
    ["a signal", tests([testCase("adds"), testCase("subtracts")], { exit: null, signal: "SIGABRT" })],
    [
      "a report that announces more than it holds",
      {
        ...tests([testCase("adds"), testCase("subtracts")]),
        report: { problems: [], announced: 3, cases: [testCase("adds"), testCase("subtracts")] },
      },
    ],
    [
      "a report that could not be read",
      { ...tests([]), report: { problems: ["not well-formed XML"], announced: null, cases: [] } },
    ],
  ])("takes %s for no evidence, never for a pass", (_, capture) => {
    const result = computeFloor(floorInput({ captures: captures({ tests: capture }) }));
    for (const gate of [0, 2, 4] as const) expect(outcomeOf(result, gate)).toBe("fail");
    expect(listRules(result)).toContain("0 test-capture");
  });

  it("does not compare with a baseline that is no evidence", () => {
    const baseline = captures({ commit: FORK, tests: tests([testCase("adds")], { exit: 1 }) });
    const result = computeFloor(floorInput({ baseline }));
    expect(listRules(result)).toContain("0 baseline-unusable");
  });

  it("fails when the tests were not captured at all", () => {
    const result = computeFloor(floorInput({ captures: captures({ tests: null }) }));
    expect(listRules(result)).toContain("0 test-missing");
    expect(outcomeOf(result, 2)).toBe("fail");
  });
});
