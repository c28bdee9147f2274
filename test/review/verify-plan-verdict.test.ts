import { describe, expect, it } from "@jest/globals";
import type { PlanVerdict } from "../../src/contracts/verdict.ts";
import { verifyPlanVerdict } from "../../src/review/verify-plan-verdict.ts";

const job = "7-sample/plan-review:scope/1";

function verdict(fields: Partial<PlanVerdict> = {}): PlanVerdict {
  return { v: 1, job, lens: "scope", result: "pass", findings: [], summary: "In scope.", ...fields };
}

function finding(fields: Partial<PlanVerdict["findings"][number]> = {}): PlanVerdict["findings"][number] {
  return { severity: "blocking", chunk: "cli", title: "Creep", evidence: "The intent asks for no menu.", ...fields };
}

function verify(value: unknown): ReturnType<typeof verifyPlanVerdict> {
  return verifyPlanVerdict(JSON.stringify(value), job, "scope", ["greet", "cli"]);
}

describe("a plan reviewer's verdict", () => {
  it("passes without findings", () => {
    expect(verify(verdict())).toEqual({ outcome: "pass", findings: [], summary: "In scope." });
  });

  it("passes with warnings", () => {
    expect(verify(verdict({ findings: [finding({ severity: "warning", chunk: "" })] })).outcome).toBe("pass");
  });

  it("fails with a blocking finding and its evidence", () => {
    const result = verify(verdict({ result: "fail", findings: [finding()] }));
    expect(result).toMatchObject({ outcome: "fail", findings: [{ chunk: "cli", title: "Creep" }] });
  });

  it.each([
    ["another job", verdict({ job: "7-sample/plan-review:scope/2" }), "is for job"],
    ["another lens", verdict({ lens: "completeness" }), "by the lens completeness"],
    ["pass that blocks", verdict({ findings: [finding()] }), "pass with 1 blocking"],
    ["fail that does not block", verdict({ result: "fail" }), "fail without a blocking"],
    ["a chunk the plan does not have", verdict({ result: "fail", findings: [finding({ chunk: "web" })] }), "`web`"],
    [
      "a finding without evidence",
      verdict({ result: "fail", findings: [finding({ evidence: "\u200b " })] }),
      "no evidence",
    ],
    ["a finding without a title", verdict({ result: "fail", findings: [finding({ title: "\u2060" })] }), "no title"],
    ["a chunk reviewer's verdict", { v: 1, job, result: "pass", criteria: [] }, "lens"],
    ["text", "looks fine", "expected object"],
  ])("is void: %s", (_what, value, reason) => {
    const result = verify(value);
    expect(result.outcome === "void" ? result.reasons.join("\n") : result.outcome).toContain(reason);
  });
});
