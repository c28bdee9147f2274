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
import { type JobEnd, type JobSurroundings, runJob } from "./run-job.ts";
import type { Conclusion } from "./runner-host.ts";
import type { Job, Workflow } from "./workflow.ts";

export interface RunPlan extends JobSurroundings {
  readonly workflow: Workflow;
  readonly github: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, string | boolean>>;
}

/** How all combinations of one job ended together. */
interface JobOutcome {
  /** What `needs` shows: a failure under `continue-on-error` is a success. */
  readonly result: Result;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs a workflow's jobs, each as soon as its needs have ended, and concludes the run. */
export async function runJobs(plan: RunPlan): Promise<Conclusion> {
  const outcomes = new Map<string, Promise<JobOutcome>>();
  // `needs` may name jobs further down in the file, hence the recursion.
  const start = (job: Job): Promise<JobOutcome> => {
    const known = outcomes.get(job.id);
    if (known !== undefined) return known;
    const needed = job.needs.flatMap((id) => plan.workflow.jobs.find((other) => other.id === id) ?? []);
    const outcome = Promise.all(needed.map(start)).then(async () => await runWhenReady(plan, job, outcomes));
    outcomes.set(job.id, outcome);
    return outcome;
  };
  const ends = await Promise.all(plan.workflow.jobs.map(start));
  return concludeRun(
    ends.map((end) => end.result),
    plan.cancel.aborted,
  );
}

function concludeRun(results: readonly Result[], cancelled: boolean): Conclusion {
  if (cancelled && results.includes("cancelled")) return "cancelled";
  if (results.includes("failure")) return "failure";
  if (results.includes("cancelled")) return "cancelled";
  return results.every((result) => result === "skipped") ? "skipped" : "success";
}

async function runWhenReady(
  plan: RunPlan,
  job: Job,
  outcomes: ReadonlyMap<string, Promise<JobOutcome>>,
): Promise<JobOutcome> {
  const needs: Record<string, JobOutcome> = {};
  for (const id of job.needs) needs[id] = (await outcomes.get(id)) ?? { result: "skipped", outputs: {} };
  const ancestors = await Promise.all(listAncestors(plan.workflow, job).map(async (id) => await outcomes.get(id)));
  const status = deriveJobStatus(
    ancestors.flatMap((outcome) => outcome?.result ?? []),
    plan.cancel.aborted,
  );
  const scope: Scope = {
    contexts: { github: plan.github, inputs: plan.inputs, needs, vars: plan.request.variables ?? {} },
    status,
    hashFiles: null,
  };
  try {
    if (!evaluateCondition(job.condition, scope))
      return endWithoutRunning(plan, job, status.cancelled ? "cancelled" : "skipped");
    return await runCombinations(plan, job, needs, scope);
  } catch (error) {
    return failToStart(plan, job, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Status functions of a job look at all its ancestors, not only at its direct needs, and a skipped
 * ancestor is no success: https://github.com/actions/runner/issues/2205
 */
function deriveJobStatus(results: readonly Result[], cancelled: boolean): Status {
  return {
    success: !cancelled && results.every((result) => result === "success"),
    failure: !cancelled && results.includes("failure"),
    cancelled,
  };
}

function listAncestors(workflow: Workflow, job: Job): readonly string[] {
  const found = new Set<string>();
  const visit = (current: Job): void => {
    for (const id of current.needs) {
      const next = workflow.jobs.find((other) => other.id === id);
      if (next === undefined || found.has(id)) continue;
      found.add(id);
      visit(next);
    }
  };
  visit(job);
  return [...found];
}

async function runCombinations(
  plan: RunPlan,
  job: Job,
  needs: Readonly<Record<string, JobOutcome>>,
  scope: Scope,
): Promise<JobOutcome> {
  const strategy = readStrategy(job, scope);
  const failFast = new AbortController();
  const cancel = AbortSignal.any([plan.cancel, failFast.signal]);
  const waiting = [...strategy.entries.entries()];
  const ends: JobEnd[] = [];
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

function combineResults(results: readonly JobEnd["result"][]): Result {
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

function endWithoutRunning(plan: RunPlan, job: Job, result: "skipped" | "cancelled"): JobOutcome {
  const jobId = plan.host.jobStarted({ name: job.id });
  plan.host.jobCompleted(jobId, result);
  return { result, outputs: {} };
}

function failToStart(plan: RunPlan, job: Job, message: string): JobOutcome {
  const jobId = plan.host.jobStarted({ name: job.id });
  plan.host.log(jobId, `##[error]${message}`);
  plan.host.jobCompleted(jobId, "failure");
  return { result: "failure", outputs: {} };
}
