import path from "node:path";
import { builtinActions } from "./builtin-actions.ts";
import { type Scope, evaluateCondition, evaluateText, evaluateTexts } from "./expressions.ts";
import { type Frame, type JobSession, buildStepScope } from "./job-session.ts";
import { type Action, loadAction } from "./load-action.ts";
import {
  type RunSteps,
  type StepExecution,
  StepFailure,
  type StepProcessResult,
  StepStopped,
  runStepProcess,
} from "./step-execution.ts";
import type { Step } from "./workflow.ts";

/** Composite actions may nest: https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax#runs-for-composite-actions */
const maxNesting = 10;

interface ActionReference {
  /** `owner/repo` or `owner/repo/path`; null for a local action. */
  readonly action: string | null;
  readonly ref: string;
  /** Folder of a local or mapped action; null for one this runner has built in. */
  readonly folder: string | null;
}

/** Runs a `uses:` step; `runSteps` runs the steps of a composite action. */
export async function runAction(
  execution: StepExecution,
  step: Extract<Step, { kind: "uses" }>,
  scope: Scope,
  runSteps: RunSteps,
): Promise<StepProcessResult> {
  const { session } = execution;
  const reference = resolveAction(session, step.uses);
  const given = evaluateTexts(step.with, scope);
  session.log.write(`##[group]Run ${step.uses}`);
  for (const [name, value] of Object.entries(given)) session.log.write(`  ${name}: ${value}`);
  session.log.write("##[endgroup]");
  if (reference.folder === null) {
    const builtin = builtinActions.get(reference.action ?? "");
    if (builtin === undefined) throw new StepFailure(explainUnknown(step.uses));
    const inputs = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value.trim()]));
    return { outputs: await builtin({ execution, inputs }), state: {} };
  }
  const action = await loadAction(reference.folder).catch((error: Error) => {
    throw new StepFailure(error.message);
  });
  const inputs = deriveInputs(session, action, given, scope);
  switch (action.runs.kind) {
    case "javascript":
      return await runJavascript(execution, action, action.runs, inputs);
    case "composite":
      return { outputs: await runComposite(execution, action, action.runs, inputs, reference, runSteps), state: {} };
  }
}

/** What a `uses:` value names; throws for forms that cannot run here. */
function resolveAction(session: JobSession, uses: string): ActionReference {
  if (uses.startsWith("./")) {
    const folder = path.resolve(session.folders.workspace, uses);
    if (!folder.startsWith(session.folders.workspace)) throw new StepFailure(`'${uses}' leaves the workspace`);
    return { action: null, ref: "", folder };
  }
  const at = uses.lastIndexOf("@");
  const action = uses.slice(0, at);
  if (at <= 0 || !/^[\w.-]+\/[\w.-]+(?:\/[\w./-]+)?$/.test(action)) throw new StepFailure(explainUnknown(uses));
  const { actionOverrides } = session.options;
  const folder = Object.hasOwn(actionOverrides, action) ? (actionOverrides[action] ?? null) : null;
  return { action, ref: uses.slice(at + 1), folder };
}

function explainUnknown(uses: string): string {
  return `The sandbox cannot run '${uses}'. It has ${[...builtinActions.keys()].join(", ")}, actions of the repository itself (./path), and actions mapped to a local folder.`;
}

function deriveInputs(
  session: JobSession,
  action: Action,
  given: Readonly<Record<string, string>>,
  scope: Scope,
): Record<string, string> {
  const names = new Map(Object.keys(given).map((name) => [name.toLowerCase(), name]));
  const inputs: Record<string, string> = { ...given };
  for (const input of action.inputs) {
    if (names.delete(input.name.toLowerCase())) continue;
    if (input.default !== null) inputs[input.name] = evaluateText(input.default, scope);
    // GitHub does not enforce `required` either: an absent input is an empty one.
    else inputs[input.name] = "";
  }
  if (names.size > 0) {
    const valid = action.inputs.map((input) => `'${input.name}'`).join(", ");
    session.log.write(
      `##[warning]Unexpected input(s) ${[...names.values()].map((name) => `'${name}'`).join(", ")}, valid inputs are [${valid}]`,
    );
  }
  return inputs;
}

async function runJavascript(
  execution: StepExecution,
  action: Action,
  runs: Extract<Action["runs"], { kind: "javascript" }>,
  inputs: Readonly<Record<string, string>>,
): Promise<StepProcessResult> {
  const { session, frame } = execution;
  const env = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`, value]),
  );
  const start = (
    script: string,
    extra: Readonly<Record<string, string>>,
    stop: AbortSignal,
  ): Promise<StepProcessResult> =>
    runStepProcess(
      { ...execution, stop },
      {
        command: process.execPath,
        args: [path.resolve(action.folder, script)],
        cwd: session.folders.workspace,
        env: { ...env, ...extra },
      },
    );
  const state: Record<string, string> = {};
  const { post } = runs;
  if (post !== null)
    session.state.posts.push({
      name: `Post ${execution.name}`,
      run: async () => {
        if (!evaluateCondition(runs.postIf, buildStepScope(session, frame, execution.env))) return;
        const saved = Object.entries(state).map(([name, value]) => [`STATE_${name}`, value] as const);
        // Post steps also run after a cancellation: only the end of all patience stops them.
        await start(post, Object.fromEntries(saved), session.force);
      },
    });
  const result = await start(runs.main, {}, execution.stop);
  Object.assign(state, result.state);
  return result;
}

async function runComposite(
  execution: StepExecution,
  action: Action,
  runs: Extract<Action["runs"], { kind: "composite" }>,
  inputs: Readonly<Record<string, string>>,
  reference: ActionReference,
  runSteps: RunSteps,
): Promise<Readonly<Record<string, string>>> {
  const { session, frame } = execution;
  if (frame.depth >= maxNesting) throw new StepFailure(`Actions are nested deeper than ${maxNesting}.`);
  const inner: Frame = {
    results: {},
    inputs,
    env: { ...frame.env, ...execution.env, GITHUB_ACTION_PATH: action.folder },
    defaults: { shell: null, workingDirectory: null },
    action: { folder: action.folder, repository: reference.action ?? "", ref: reference.ref },
    depth: frame.depth + 1,
    failed: false,
  };
  await runSteps(session, inner, runs.steps, execution.stop);
  const scope = buildStepScope(session, inner, {});
  const outputs = runs.outputs.map(
    ([name, value]) => [name, value === null ? "" : evaluateText(value, scope)] as const,
  );
  if (execution.stop.aborted) throw new StepStopped("The operation was canceled.");
  if (inner.failed) throw new StepFailure("A step of the action failed.");
  return Object.fromEntries(outputs);
}
