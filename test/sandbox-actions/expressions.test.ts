import { describe, expect, it } from "@jest/globals";
import {
  type Scope,
  type Value,
  evaluateCondition,
  evaluateExpression,
  evaluateText,
} from "../../src/sandbox/actions/expressions.ts";

const scope: Scope = {
  contexts: {
    github: { event_name: "push", ref: "refs/heads/main", event: { labels: [{ name: "a" }, { name: "b" }] } },
    inputs: { role: "Floor", dry: true },
    needs: { claim: { result: "success", outputs: { duplicate: "" } } },
    env: { "A-B": "x" },
  },
  status: { success: true, failure: false, cancelled: false },
  hashFiles: (patterns) => patterns.join("+"),
};

describe("expressions", () => {
  it.each<[string, Value]>([
    ["inputs.role == 'floor'", true],
    ["INPUTS.ROLE", "Floor"],
    ["inputs.dry", true],
    ["inputs.dry == 'true'", false],
    ["inputs.absent", null],
    ["inputs.absent == ''", true],
    ["env['A-B']", "x"],
    ["github.event.labels.*.name", ["a", "b"]],
    ["contains(github.event.labels.*.name, 'b')", true],
    ['contains(fromJSON(\'["floor", "review"]\'), inputs.role)', true],
    ["startsWith(github.ref, 'refs/heads/') && 'branch' || 'tag'", "branch"],
    ["format('{0}/{1}', github.event_name, 7)", "push/7"],
    ["join(github.event.labels.*.name, ' ')", "a b"],
    ["needs.claim.outputs.duplicate != 'true'", true],
    ["fromJSON('{\"a\": [1, 2]}').a[1]", 2],
    ["0x10 == 16", true],
    ["!null", true],
    ["hashFiles('a', 'b')", "a+b"],
  ])("%s", (source, expected) => {
    expect(evaluateExpression(source, scope)).toEqual(expected);
  });

  it("refuses a context that does not exist at this place", () => {
    expect(() => evaluateExpression("secrets.KEY", scope)).toThrow("Unrecognized named-value: 'secrets'");
  });

  it("writes numbers, booleans and null into texts the way GitHub does", () => {
    const text = (source: string): string => evaluateText({ kind: "expression", source }, scope);
    expect(["1.50", "true", "null", "fromJSON('[1]')"].map(text)).toEqual(["1.5", "true", "", "Array"]);
  });
});

describe("conditions", () => {
  const failed: Scope = { ...scope, status: { success: false, failure: true, cancelled: false } };
  const cancelled: Scope = { ...scope, status: { success: false, failure: false, cancelled: true } };

  it.each<[condition: string, afterSuccess: boolean, afterFailure: boolean, afterCancel: boolean]>([
    ["", true, false, false],
    ["true", true, false, false],
    ["inputs.role == 'floor'", true, false, false],
    ["failure()", false, true, false],
    ["always()", true, true, true],
    ["cancelled()", false, false, true],
    ["!cancelled()", true, true, false],
    ["success() || failure()", true, true, false],
    ["Always() && inputs.role == 'review'", false, false, false],
    ["'always()' != ''", true, false, false],
    ["inputs.absent", false, false, false],
    ["'false'", true, false, false],
  ])("`%s`", (condition, afterSuccess, afterFailure, afterCancel) => {
    const results = [scope, failed, cancelled].map((each) => evaluateCondition(condition, each));
    expect(results).toEqual([afterSuccess, afterFailure, afterCancel]);
  });
});
