import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { TestCase } from "../../src/contracts/captures.ts";
import { computeFloor } from "../../src/floor/compute-floor.ts";
import { captures, floorConfig, floorInput, FORK, modify, testCase, tests } from "./support/build-captures.ts";
import { listRules, outcomeOf } from "./support/violations.ts";

describe("the floor of a commit", () => {
  it("passes an honest change and reports every gate", () => {
    const result = computeFloor(floorInput());
    expect(result.violations).toEqual([]);
    expect(result.outcome).toBe("pass");
    expect(result.gates.map(({ gate }) => gate)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(result.gates.filter(({ outcome }) => outcome === "not-configured").map(({ gate }) => gate)).toEqual([
      3, 7, 8, 9,
    ]);
  });

  it("never calls a gate that has nothing to run a pass", () => {
    const result = computeFloor(floorInput({ config: floorConfig({ test: undefined, typecheck: undefined }) }));
    for (const gate of [0, 2, 3, 4, 5, 8, 9] as const) expect(outcomeOf(result, gate)).toBe("not-configured");
  });

  it("reports all gates' violations at once, sorted by gate and path", () => {
    const broken = captures({
      typecheck: { ...captures().typecheck!, exit: 2 },
      tests: tests([testCase("adds", { status: "failed" })]),
    });
    const result = computeFloor(floorInput({ captures: broken, changes: [modify("z.js"), modify("b.js")] }));
    expect(result.outcome).toBe("fail");
    expect(listRules(result)).toEqual([
      "0 typecheck-failed",
      "0 test-failed test/a.test.js",
      "2 regression test/a.test.js",
      "4 missing-test test/a.test.js",
      "6 out-of-scope b.js",
      "6 out-of-scope z.js",
    ]);
  });

  it("refuses captures of another commit", () => {
    const result = computeFloor(floorInput({ captures: captures({ commit: FORK }) }));
    expect(listRules(result)).toContain("0 other-commit");
  });

  it("tells a changed toolchain apart from a failure of the change", () => {
    const result = computeFloor(floorInput({ captures: captures({ toolchain: "node v26.1.0" }) }));
    expect(result.toolchainChanged).toEqual({ was: "node v24.22.3", now: "node v26.1.0" });
    expect(listRules(result)).toEqual(["0 toolchain-changed"]);
    expect(computeFloor(floorInput({ captures: captures({ toolchain: "node v24.22.9" }) })).outcome).toBe("pass");
  });

  it("keeps 200 violations and counts the rest", () => {
    const changes = Array.from({ length: 450 }, (_, index) => modify(`lib/${index}.js`));
    const result = computeFloor(floorInput({ changes }));
    expect(result.violations).toHaveLength(200);
    expect(result.more).toBe(250);
  });

  it("takes the commands that the configuration leaves out from the fork commit", () => {
    const config = floorConfig({ test: undefined });
    const baseline = captures({ commit: FORK, floor: floorConfig() });
    expect(outcomeOf(computeFloor(floorInput({ config })), 2)).toBe("not-configured");
    expect(outcomeOf(computeFloor(floorInput({ config, baseline })), 2)).toBe("pass");
    const other = captures({
      tests: { ...captures().tests!, capture: { ...captures().tests!.capture, command: "true" } },
    });
    expect(listRules(computeFloor(floorInput({ config, baseline, captures: other })))).toContain(
      "0 test-other-command",
    );
  });
});

const anyCase = fc
  .record({
    name: fc.constantFrom("a", "b", "c", "d", "e"),
    status: fc.constantFrom("passed", "failed", "skipped" as const),
  })
  .map(({ name, status }): TestCase => testCase(name, { status }));
const anyCases = fc.uniqueArray(anyCase, { selector: (test) => test.name, maxLength: 5 });

describe("the floor over any two sets of tests", () => {
  it("passes exactly when nothing that passed fails, nothing is lost, nothing is newly skipped and no new test fails", () => {
    fc.assert(
      fc.property(anyCases, anyCases, (before, after) => {
        const result = computeFloor(
          floorInput({
            baseline: captures({ commit: FORK, tests: tests(before) }),
            captures: captures({ tests: tests(after) }),
          }),
        );
        const now = new Map(after.map((test) => [test.name, test.status]));
        const kept = before.every((test) => {
          const status = now.get(test.name);
          if (status === undefined) return false;
          return test.status === "skipped" || status !== "skipped";
        });
        const was = new Map(before.map((test) => [test.name, test.status]));
        const noNewFailure = after.every((test) => test.status !== "failed" || was.get(test.name) === "failed");
        expect(result.outcome).toBe(kept && noNewFailure ? "pass" : "fail");
      }),
    );
  });

  it("finds a second look at the same commit as good as the first", () => {
    fc.assert(
      fc.property(anyCases, (cases) => {
        const same = captures({ tests: tests(cases) });
        const result = computeFloor(floorInput({ captures: same, baseline: { ...same, commit: FORK } }));
        expect(result.outcome).toBe("pass");
      }),
    );
  });
});
