import { describe, expect, it } from "@jest/globals";
import type { Captures, Target } from "../../../src/contracts/captures.ts";
import { computeFloor } from "../../../src/floor/compute-floor.ts";
import {
  captures,
  command,
  floorConfig,
  floorInput,
  FORK,
  modify,
  testCase,
  tests,
} from "../support/build-captures.ts";
import { listRules, outcomeOf } from "../support/violations.ts";

const config = floorConfig({ enumerate: { command: "list" } });
const api: Target = { package: "api", kind: "test", target: "api/t.js" };
const web: Target = { package: "web", kind: "test", target: "web/t.js" };

function enumeration(targets: readonly Target[], exit = 0): NonNullable<Captures["enumeration"]> {
  return { capture: command("list", { exit }), targets: [...targets] };
}

function judge(
  now: Captures["enumeration"],
  before: Captures["enumeration"] = enumeration([api, web]),
): readonly string[] {
  return listRules(
    computeFloor(
      floorInput({
        config,
        captures: captures({ enumeration: now }),
        baseline: captures({ commit: FORK, enumeration: before }),
      }),
    ),
  );
}

describe("gate 5, enumeration", () => {
  it("passes on the same targets and on more of them", () => {
    expect(judge(enumeration([web, api]))).toEqual([]);
    expect(judge(enumeration([api, web, { ...api, target: "api/u.js" }]))).toEqual([]);
  });

  it("fails when a target is no longer found", () => {
    expect(judge(enumeration([api]))).toEqual(["5 missing-target"]);
  });

  it.each([
    ["is missing", null, "5 enumeration-missing"],
    ["failed", enumeration([api, web], 1), "5 enumeration-capture"],
    ["is another command", { ...enumeration([api, web]), capture: command("true") }, "5 enumeration-other-command"],
    ["could not be parsed", { ...enumeration([api, web]), problems: ["no target is listed"] }, "5 enumeration-capture"],
  ])("is no evidence when the enumeration %s", (_, now, rule) => {
    expect(judge(now)).toContain(rule);
  });

  it("takes the targets from the test report when nothing enumerates them", () => {
    const both = tests([testCase("x", { target: "a.test.js" }), testCase("y", { target: "b.test.js" })]);
    const baseline = captures({ commit: FORK, tests: both });
    const result = computeFloor(
      floorInput({ baseline, captures: captures({ tests: tests([testCase("x", { target: "a.test.js" })]) }) }),
    );
    expect(outcomeOf(result, 5)).toBe("fail");
    expect(result.gates[5]).toMatchObject({ was: "2 targets", now: "1 targets" });
  });

  it("finds a target again whose tests all moved within the scope", () => {
    const scope = { allowed: ["test/a.test.js", "test/b.test.js"], protectedAllowed: [], requiresTests: false };
    const changes = [modify("test/a.test.js", { kind: "delete" }), modify("test/b.test.js", { kind: "add" })];
    const moved = { target: "test/b.test.js", path: "test/b.test.js" };
    const now = captures({
      tests: tests([testCase("adds", moved), testCase("subtracts", moved)]),
      assertions: [{ path: "test/b.test.js", count: 4, strong: 4, hollow: 0 }],
    });
    expect(computeFloor(floorInput({ scope, changes, captures: now })).outcome).toBe("pass");
  });
});
