import { describe, expect, it } from "@jest/globals";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import { captures, floorInput, FORK, testCase, tests } from "../support/build-captures.ts";
import { listRules } from "../support/violations.ts";

const broken = captures({ tests: tests([testCase("adds"), testCase("subtracts", { status: "failed" })]) });

describe("gate 2, no regression", () => {
  it("fails when a test of the baseline fails now", () => {
    const result = computeFloor(floorInput({ captures: broken }));
    expect(result.violations.find(({ gate }) => gate === 2)).toMatchObject({
      rule: "regression",
      message: "The test test/a.test.js › subtracts passes in the baseline and fails now.",
      was: "passed",
      now: "failed",
    });
  });

  it("fails when a test that landed since the fork fails now", () => {
    const baseline = captures({ commit: FORK, tests: tests([testCase("adds")]) });
    const tip = captures({ commit: "b".repeat(40) });
    const result = computeFloor(floorInput({ captures: broken, baseline, tip }));
    expect(listRules(result)).toContain("2 regression test/a.test.js");
  });

  it("does not blame a change for a test that failed before", () => {
    const result = computeFloor(floorInput({ captures: broken, baseline: { ...broken, commit: FORK } }));
    expect(result.outcome).toBe("pass");
  });

  it("excuses a test only when it failed by chance on the baseline commit itself", () => {
    const main = tests([testCase("adds"), testCase("subtracts")]);
    const failing = tests([testCase("adds"), testCase("subtracts", { status: "failed" })]).report;
    const flaky = captures({ commit: FORK, tests: { ...main, reruns: [main.report, failing] } });
    expect(computeFloor(floorInput({ captures: broken, baseline: flaky })).outcome).toBe("pass");
    const steady = captures({ commit: FORK, tests: { ...main, reruns: [main.report, main.report] } });
    expect(computeFloor(floorInput({ captures: broken, baseline: steady })).outcome).toBe("fail");
  });

  it("learns nothing from a rerun that could not be read", () => {
    const main = tests([testCase("adds"), testCase("subtracts")]);
    const lost = { ...tests([testCase("subtracts", { status: "failed" })]).report, problems: ["cut off"] };
    const baseline = captures({ commit: FORK, tests: { ...main, reruns: [lost] } });
    expect(computeFloor(floorInput({ captures: broken, baseline })).outcome).toBe("fail");
  });

  it.each([
    ["before", [testCase("subtracts"), testCase("subtracts", { status: "failed" })]],
    ["after", [testCase("subtracts", { status: "failed" }), testCase("subtracts")]],
  ])("cannot be fooled by a passing test of the same name %s the failing one", (_, twins) => {
    const doubled = captures({ tests: tests([testCase("adds"), ...twins]) });
    expect(listRules(computeFloor(floorInput({ captures: doubled })))).toContain("2 regression test/a.test.js");
  });
});
