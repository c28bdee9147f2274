import { type MatrixEntry, expandMatrix, formatMatrixSuffix } from "./expand-matrix.ts";
import {
  type Scope,
  type Status,
  type Value,
  evaluateCondition,
  evaluateTemplate,
  evaluateText,
  isMapping,
  isTruthy,
} from "./expressions.ts";
import type { Result } from "./job-session.ts";
import { type JobSurroundings, runJob } from "./run-job.ts";
import type { RunnerHost } from "./runner-host.ts";
import type { Job, Workflow } from "./workflow.ts";

export interface RunPlan extends JobSurroundings {
  readonly workflow: Workflow;
  readonly github: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, string | boolean>>;
}

/** How all combinations of one job ended together. */
export interface JobOutcome {
  /** What `needs` shows: a failure under `continue-on-error` is a success. */
  readonly result: Result;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Records a job that never starts. */
export function endWithoutRunning<Kind extends "skipped" | "cancelled">(
  { host }: { readonly host: RunnerHost },
  name: string,
  result: Kind,
): Kind {
  host.jobCompleted(host.jobStarted({ name }), result);
  return result;
}

/**
 * Runs every combination of a job's matrix (one, where there is none).
 * @throws when the strategy or the job's name cannot be evaluated
 */
export async function runCombinations(
  plan: RunPlan,
  job: Job,
  needs: Readonly<Record<string, JobOutcome>>,
  scope: Scope,
): Promise<JobOutcome> {
  const strategy = readStrategy(job, scope);
  const failFast = new AbortController();
  const runCancel = watchCancel(plan, job, scope);
  const cancel = AbortSignal.any([runCancel, failFast.signal]);
  const waiting = [...strategy.entries.entries()];
  const ends: JobOutcome[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, matrix] = next;
      const context = {
        "fail-fast": strategy.failFast === "stop",
        "job-index": index,
        "job-total": strategy.entries.length,
        "max-parallel": strategy.maxParallel,
      };
      const inner: Scope = { ...scope, contexts: { ...scope.contexts, matrix, strategy: context } };
      const name = formatJobName(job, matrix, inner);
      if (cancel.aborted) {
        ends.push({ result: endWithoutRunning(plan, name, "cancelled"), outputs: {} });
        continue;
      }
      const end = await runJob({ ...plan, job, name, needs, matrix, strategy: context }, { ...plan, cancel });
      const tolerated = job.continueOnError !== null && isTruthy(evaluateTemplate(job.continueOnError, inner));
      if (end.result === "failure" && tolerated) ends.push({ ...end, result: "success" });
      else ends.push(end);
      if (end.result === "failure" && !tolerated && strategy.failFast === "stop") failFast.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.min(strategy.maxParallel, strategy.entries.length) }, work));
  return {
    result: combineResults(ends.map((end) => end.result)),
    outputs: Object.assign({}, ...ends.map((end) => end.outputs)) as Record<string, string>,
  };
}

/**
 * When a run is cancelled, the condition of each of its jobs is evaluated again: a job goes on (or
 * starts) undisturbed if it holds. https://docs.github.com/en/actions/reference/workflow-cancellation-reference
 */
function watchCancel(plan: RunPlan, job: Job, scope: Scope): AbortSignal {
  const controller = new AbortController();
  const onCancel = (): void => {
    const status: Status = { success: false, failure: false, cancelled: true };
    if (!evaluateCondition(job.condition, { ...scope, status })) controller.abort();
  };
  if (plan.cancel.aborted) onCancel();
  else plan.cancel.addEventListener("abort", onCancel, { once: true });
  return controller.signal;
}

function combineResults(results: readonly Result[]): Result {
  if (results.includes("failure")) return "failure";
  return results.includes("cancelled") ? "cancelled" : "success";
}

interface Strategy {
  readonly entries: readonly MatrixEntry[];
  readonly failFast: "stop" | "go-on";
  readonly maxParallel: number;
}

function readStrategy(job: Job, scope: Scope): Strategy {
  const value: Value = job.strategy === null ? {} : evaluateTemplate(job.strategy, scope);
  if (!isMapping(value)) throw new Error("The strategy is not a mapping");
  const matrix = value["matrix"];
  const entries = matrix === undefined ? [{}] : expandMatrix(matrix);
  const maxParallel = Number(value["max-parallel"] ?? entries.length);
  return {
    entries,
    failFast: isTruthy(value["fail-fast"] ?? true) ? "stop" : "go-on",
    maxParallel: maxParallel >= 1 ? Math.floor(maxParallel) : entries.length,
  };
}

function formatJobName(job: Job, matrix: MatrixEntry, scope: Scope): string {
  const fallback = job.id + formatMatrixSuffix(matrix);
  if (job.name === null) return fallback;
  const name = evaluateText(job.name, scope);
  if (name === "") return fallback;
  // A literal name is told apart by the combination.
  return job.name.kind === "literal" ? name + formatMatrixSuffix(matrix) : name;
}
