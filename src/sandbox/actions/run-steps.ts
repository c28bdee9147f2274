import {
  type Scope,
  evaluateCondition,
  evaluateTemplate,
  evaluateText,
  evaluateTexts,
  isTruthy,
} from "./expressions.ts";
import { type Frame, type JobSession, type StepResult, buildStepScope } from "./job-session.ts";
import { runAction } from "./run-action.ts";
import { runScript } from "./run-script.ts";
import { ProcessFailure, type StepExecution, StepFailure, StepStopped } from "./step-execution.ts";
import type { Step } from "./workflow.ts";

/**
 * Runs steps in order; a failed step marks the frame, later steps decide by their conditions.
 * @param outer ends the current step: the surrounding composite action's signal, null in a job
 */
export async function runSteps(
  session: JobSession,
  frame: Frame,
  steps: readonly Step[],
  outer: AbortSignal | null,
): Promise<void> {
  for (const step of steps) {
    session.state.stepCount += 1;
    const key = step.id ?? `__step_${session.state.stepCount}`;
    const result = await runStep(session, frame, step, key, outer);
    if (step.id !== null) frame.results[step.id] = result;
    if (result.conclusion === "failure") frame.failed = true;
  }
}

async function runStep(
  session: JobSession,
  frame: Frame,
  step: Step,
  key: string,
  outer: AbortSignal | null,
): Promise<StepResult> {
  let scope = buildStepScope(session, frame, {});
  let continueOnError = false;
  try {
    if (session.force.aborted || !evaluateCondition(step.condition, scope))
      return { outcome: "skipped", conclusion: "skipped", outputs: {} };
    const env = evaluateTexts(step.env, scope);
    scope = buildStepScope(session, frame, env);
    continueOnError = step.continueOnError !== null && isTruthy(evaluateTemplate(step.continueOnError, scope));
    const minutes = step.timeoutMinutes === null ? null : Number(evaluateText(step.timeoutMinutes, scope));
    const name = step.name === null ? (step.kind === "uses" ? step.uses : key) : evaluateText(step.name, scope);
    const watch = watchStop(session, frame, step, outer, minutes);
    try {
      const execution: StepExecution = { session, frame, name, key, env, stop: watch.stop };
      const { outputs } = await runKind(execution, step, scope);
      return { outcome: "success", conclusion: "success", outputs };
    } catch (error) {
      if (error instanceof StepStopped && watch.timedOut())
        throw new StepFailure(`The action '${name}' has timed out after ${minutes} minutes.`);
      throw error;
    } finally {
      watch.close();
    }
  } catch (error) {
    session.log.write(`##[error]${error instanceof Error ? error.message : String(error)}`);
    const outputs = error instanceof ProcessFailure ? error.result.outputs : {};
    if (error instanceof StepStopped) return { outcome: "cancelled", conclusion: "cancelled", outputs };
    return { outcome: "failure", conclusion: continueOnError ? "success" : "failure", outputs };
  }
}

async function runKind(
  execution: StepExecution,
  step: Step,
  scope: Scope,
): Promise<{ readonly outputs: Readonly<Record<string, string>> }> {
  switch (step.kind) {
    case "run":
      return await runScript(execution, step, scope);
    case "uses":
      return await runAction(execution, step, scope, runSteps);
  }
}

interface StopWatch {
  readonly stop: AbortSignal;
  timedOut(): boolean;
  close(): void;
}

/**
 * When a job is cancelled, the condition of the running step is evaluated again: the step goes on if
 * it holds. https://docs.github.com/en/actions/reference/workflow-cancellation-reference
 */
function watchStop(
  session: JobSession,
  frame: Frame,
  step: Step,
  outer: AbortSignal | null,
  minutes: number | null,
): StopWatch {
  const controller = new AbortController();
  let late = false;
  const onCancel = (): void => {
    if (!holds(step, buildStepScope(session, frame, {}))) controller.abort();
  };
  const onOuter = (): void => controller.abort();
  // A step that starts after the cancellation starts because its condition holds.
  if (!session.cancel.aborted) session.cancel.addEventListener("abort", onCancel, { once: true });
  if (outer?.aborted === true) controller.abort();
  outer?.addEventListener("abort", onOuter, { once: true });
  const timer =
    minutes === null || !(minutes > 0)
      ? undefined
      : setTimeout(() => {
          late = true;
          controller.abort();
        }, minutes * 60_000);
  return {
    stop: controller.signal,
    timedOut: () => late,
    close() {
      clearTimeout(timer);
      session.cancel.removeEventListener("abort", onCancel);
      outer?.removeEventListener("abort", onOuter);
    },
  };
}

function holds(step: Step, scope: Scope): boolean {
  try {
    return evaluateCondition(step.condition, scope);
  } catch {
    return false;
  }
}
