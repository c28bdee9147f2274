import { type StepExecution, StepFailure } from "../step-execution.ts";

export interface BuiltinCall {
  readonly execution: StepExecution;
  /** Trimmed values by lower-case name; an input that was not given is absent. */
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Returns the step's outputs.
 * @throws StepFailure, StepStopped
 */
export type BuiltinAction = (call: BuiltinCall) => Promise<Readonly<Record<string, string>>>;

/** Says which inputs the action does not know, as the real ones do; they have no effect. */
export function warnUnexpectedInputs({ execution, inputs }: BuiltinCall, valid: readonly string[]): void {
  const unexpected = Object.keys(inputs).filter((name) => !valid.includes(name));
  if (unexpected.length === 0) return;
  const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");
  execution.session.log.write(`##[warning]Unexpected input(s) ${list(unexpected)}, valid inputs are [${list(valid)}]`);
}

/** Fails for inputs whose effect the sandbox does not have, rather than doing something else. */
export function refuseInputs({ inputs }: BuiltinCall, names: readonly string[]): void {
  for (const name of names)
    if ((inputs[name] ?? "") !== "") throw new StepFailure(`The sandbox does not support the input '${name}' here.`);
}

/** A boolean input of an action that takes everything but `true` for false. */
export function isTrue({ inputs }: BuiltinCall, name: string, fallback: "true" | "false"): boolean {
  const value = inputs[name] ?? "";
  return (value === "" ? fallback : value).toLowerCase() === "true";
}

/** A boolean input of an action that insists on the spellings of YAML 1.2's core schema. */
export function readFlag(call: BuiltinCall, name: string, fallback: "true" | "false"): boolean {
  const value = call.inputs[name] === undefined || call.inputs[name] === "" ? fallback : call.inputs[name];
  if (/^(?:true|True|TRUE)$/.test(value)) return true;
  if (/^(?:false|False|FALSE)$/.test(value)) return false;
  throw new StepFailure(
    `Input does not meet YAML 1.2 "Core Schema" specification: ${name}\nSupport boolean input list: \`true | True | TRUE | false | False | FALSE\``,
  );
}
