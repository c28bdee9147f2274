import { describe, expect, it } from "@jest/globals";
import { compileExecutionPlan } from "../../../src/plan/compile/compile-execution-plan.ts";
import { lintExecutionPlan } from "../../../src/plan/lint/lint-execution-plan.ts";
import { promoteWarnings } from "../../../src/plan/lint/lint-plan.ts";
import { isLintRule, lintRules } from "../../../src/plan/lint/lint-rules.ts";
import { buildContext } from "../build-context.ts";
import { buildValidPlan } from "../build-valid-plan.ts";

describe("an execution plan", () => {
  it("should tell every agent its own part", () => {
    const plan = compileExecutionPlan(buildValidPlan(), buildContext());
    expect(lintExecutionPlan(plan)).toEqual([]);
    const [first, second, ...rest] = plan.agents;
    const agents = [
      { ...first!, context: "  do   it now please " },
      { ...second!, context: "Judge the whole thing." },
      { ...rest[0]!, context: "judge the  whole thing." },
    ];
    expect(lintExecutionPlan({ ...plan, agents })).toMatchSnapshot();
    const exact = { ...first!, context: "x".repeat(20) };
    expect(lintExecutionPlan({ ...plan, agents: [exact] })).toEqual([]);
    expect(lintExecutionPlan({ ...plan, agents: [{ ...exact, context: "x".repeat(19) }] })).toHaveLength(1);
  });
});

describe("promotion", () => {
  const warning = (rule: string) => ({ pointer: "", rule, message: "m" });

  it("makes errors of the listed rules, or of all", () => {
    const found = [warning("many-files"), warning("generic-brief")];
    expect(promoteWarnings(found, [])).toEqual({ errors: [], warnings: found });
    expect(promoteWarnings(found, ["generic-brief"])).toEqual({ errors: [found[1]], warnings: [found[0]] });
    expect(promoteWarnings(found, ["all"])).toEqual({ errors: found, warnings: [] });
  });

  it("finds an error behind a hundred warnings, and counts what it does not show", () => {
    const found = [...Array.from({ length: 150 }, () => warning("many-files")), warning("generic-brief")];
    const { errors, warnings } = promoteWarnings(found, ["generic-brief"]);
    expect(errors).toEqual([warning("generic-brief")]);
    expect(warnings).toHaveLength(101);
    expect(warnings[100]!.message).toBe("50 more problems not shown");
    expect(promoteWarnings(found.slice(0, 100), []).warnings).toHaveLength(100);
  });

  it("knows its rules by name", () => {
    expect(Object.keys(lintRules).every(isLintRule)).toBe(true);
    expect(["toString", "all", ""].some(isLintRule)).toBe(false);
    for (const text of Object.values(lintRules)) expect(text.length).toBeGreaterThan(15);
  });
});
