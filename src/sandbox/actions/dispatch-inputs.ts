import type { DispatchInput, WorkflowDescription } from "./describe-workflow.ts";

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#onworkflow_dispatchinputs */
const maxInputCharacters = 65_535;

/**
 * Why GitHub would refuse a dispatch with these inputs (422), in its words; empty when it would not.
 * Sources: https://github.com/Codex-/return-dispatch/issues/188, https://github.com/cli/cli/issues/5246.
 */
export function validateDispatchInputs(
  description: WorkflowDescription,
  inputs: Readonly<Record<string, string>>,
): string[] {
  const { dispatch } = description.triggers;
  if (dispatch === null) return ["Workflow does not have 'workflow_dispatch' trigger"];
  const problems: string[] = [];
  const unexpected = Object.keys(inputs).filter((name) => !Object.hasOwn(dispatch.inputs, name));
  if (unexpected.length > 0)
    problems.push(`Unexpected inputs provided: [${unexpected.map((name) => `"${name}"`).join(", ")}]`);
  for (const [name, input] of Object.entries(dispatch.inputs)) {
    const value = inputs[name] ?? input.default ?? "";
    if (input.required && value === "") problems.push(`Required input '${name}' not provided`);
    else if (value !== "" && !allows(input, value))
      problems.push(`Provided value '${value}' for input '${name}' not in the list of allowed values`);
  }
  if (JSON.stringify(inputs).length > maxInputCharacters) problems.push("inputs are too large.");
  return problems;
}

/** The inputs with defaults filled in, as texts: what `github.event.inputs` shows. */
export function applyInputDefaults(
  description: WorkflowDescription,
  inputs: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const declared = Object.entries(description.triggers.dispatch?.inputs ?? {});
  return Object.fromEntries(declared.map(([name, input]) => [name, inputs[name] ?? input.default ?? absent(input)]));
}

/** The `inputs` context: like `github.event.inputs`, but booleans are booleans. */
export function deriveInputsContext(
  description: WorkflowDescription,
  inputs: Readonly<Record<string, string>>,
): Readonly<Record<string, string | boolean>> {
  const filled = Object.entries(applyInputDefaults(description, inputs));
  const declared = description.triggers.dispatch?.inputs ?? {};
  return Object.fromEntries(
    filled.map(([name, value]) => [name, declared[name]?.type === "boolean" ? value === "true" : value]),
  );
}

function absent(input: DispatchInput): string {
  return input.type === "boolean" ? "false" : "";
}

function allows(input: DispatchInput, value: string): boolean {
  switch (input.type) {
    case "choice":
      return input.options.includes(value);
    case "boolean":
      return value === "true" || value === "false";
    case "number":
      return Number.isFinite(Number(value));
    case "string":
    case "environment":
      return true;
  }
}
