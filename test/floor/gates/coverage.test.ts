import { describe, expect, it } from "@jest/globals";
import type { Captures, Coverage, CoverageThresholds } from "../../../src/contracts/captures.ts";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import { captures, command, floorConfig, floorInput, FORK } from "../support/build-captures.ts";
import { listRules, outcomeOf } from "../support/violations.ts";

const config = floorConfig({ coverage: { command: "cover", report: "-", format: "lcov" } });
const good: Coverage = { problems: [], lines: 90, branches: 80, functions: null, statements: null };

function capture(report: Partial<Coverage> = {}, exit = 0): NonNullable<Captures["coverage"]> {
  return { capture: command("cover", { exit }), report: { ...good, ...report } };
}

function judge(
  coverage: Captures["coverage"],
  thresholds: CoverageThresholds | null,
  ownThresholds: CoverageThresholds | null = null,
): readonly string[] {
  const baseline = captures({ commit: FORK, thresholds, coverage: capture() });
  return listRules(
    computeFloor(floorInput({ config, baseline, captures: captures({ coverage, thresholds: ownThresholds }) })),
  );
}

describe("gate 8, coverage", () => {
  it("compares with the fork commit's thresholds", () => {
    expect(judge(capture(), { lines: 90, branches: 80 })).toEqual([]);
    expect(judge(capture({ lines: 89.99 }), { lines: 90 })).toEqual(["8 coverage-low"]);
    expect(judge(capture(), { functions: 50 })).toEqual(["8 coverage-unknown"]);
  });

  it("never takes thresholds that the change brings", () => {
    expect(judge(capture({ lines: 10 }), { lines: 90 }, { lines: 1 })).toEqual(["8 coverage-low"]);
  });

  it.each([
    ["a failed command", capture({}, 1), "8 coverage-failed"],
    [
      "a report that cannot be read",
      capture({ problems: ["no lcov record found"], lines: null }),
      "8 coverage-capture",
    ],
    ["no capture", null, "8 coverage-missing"],
    ["another command", { ...capture(), capture: command("true") }, "8 coverage-other-command"],
  ])("blocks on %s", (_, coverage, rule) => {
    expect(judge(coverage, { lines: 50 })).toEqual([rule]);
  });

  it("blocks on thresholds that cannot be read", () => {
    expect(judge(capture(), { problem: "not JSON" })).toEqual(["8 thresholds-unreadable"]);
  });

  it("lets an enforcement command decide by its exit status alone", () => {
    const enforced = floorConfig();
    const only = { capture: command("enforce"), report: { ...good, problems: ["only the exit status"], lines: null } };
    const baseline = captures({ commit: FORK, thresholds: { lines: 80 }, coverage: only });
    const now = (exit: number): Captures => captures({ coverage: { ...only, capture: command("enforce", { exit }) } });
    expect(computeFloor(floorInput({ config: enforced, baseline, captures: now(0) })).outcome).toBe("pass");
    expect(listRules(computeFloor(floorInput({ config: enforced, baseline, captures: now(1) })))).toEqual([
      "8 coverage-failed",
    ]);
  });

  it("is not configured without command and thresholds", () => {
    expect(outcomeOf(computeFloor(floorInput()), 8)).toBe("not-configured");
  });
});
