import { describe, expect, it } from "@jest/globals";
import { describeWorkflow } from "../../src/sandbox/actions/describe-workflow.ts";
import {
  applyInputDefaults,
  deriveInputsContext,
  validateDispatchInputs,
} from "../../src/sandbox/actions/dispatch-inputs.ts";

const workflow = describeWorkflow({
  path: "w.yml",
  text: `
on:
  workflow_dispatch:
    inputs:
      role: { required: true, type: choice, options: [plan, floor] }
      request: { required: true, default: "{}" }
      dry: { type: boolean }
      count: { type: number, default: 3 }
jobs: { a: { runs-on: x, steps: [{ run: ls }] } }
`,
});

describe("dispatch inputs", () => {
  it("describes them", () => {
    expect(workflow.errors).toEqual([]);
    expect(workflow.triggers.dispatch?.inputs).toEqual({
      role: { description: null, required: true, default: null, type: "choice", options: ["plan", "floor"] },
      request: { description: null, required: true, default: "{}", type: "string", options: [] },
      dry: { description: null, required: false, default: null, type: "boolean", options: [] },
      count: { description: null, required: false, default: "3", type: "number", options: [] },
    });
  });

  it.each<[inputs: Record<string, string>, problems: readonly string[]]>([
    [{ role: "plan" }, []],
    [{ role: "floor", request: "x", dry: "true", count: "1.5" }, []],
    [{}, ["Required input 'role' not provided"]],
    [{ role: "" }, ["Required input 'role' not provided"]],
    [{ role: "plan", request: "" }, ["Required input 'request' not provided"]],
    [{ role: "plan", x: "1", y: "2" }, ['Unexpected inputs provided: ["x", "y"]']],
    [{ role: "Plan" }, ["Provided value 'Plan' for input 'role' not in the list of allowed values"]],
    [{ role: "plan", dry: "yes" }, ["Provided value 'yes' for input 'dry' not in the list of allowed values"]],
    [{ role: "plan", request: "x".repeat(70_000) }, ["inputs are too large."]],
    [{ constructor: "x", role: "plan" }, ['Unexpected inputs provided: ["constructor"]']],
  ])("%j", (inputs, problems) => {
    expect(validateDispatchInputs(workflow, inputs)).toEqual(problems);
  });

  it("refuses a dispatch of a workflow that has no such trigger", () => {
    const other = describeWorkflow({
      path: "w.yml",
      text: "on: push\njobs: { a: { runs-on: x, steps: [{ run: ls }] } }",
    });
    expect(validateDispatchInputs(other, {})).toEqual(["Workflow does not have 'workflow_dispatch' trigger"]);
  });

  it("fills in defaults; only the inputs context has booleans", () => {
    expect(applyInputDefaults(workflow, { role: "plan" })).toEqual({
      role: "plan",
      request: "{}",
      dry: "false",
      count: "3",
    });
    expect(deriveInputsContext(workflow, { role: "plan", dry: "true" })).toEqual({
      role: "plan",
      request: "{}",
      dry: true,
      count: "3",
    });
  });
});
