import { type Scope, type Status, evaluateCondition } from "./expressions.ts";
import type { Result } from "./job-session.ts";
import { type JobOutcome, type RunPlan, endWithoutRunning, runCombinations } from "./run-combinations.ts";
import type { Conclusion } from "./runner-host.ts";
import type { Job, Workflow } from "./workflow.ts";

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
      return { result: endWithoutRunning(plan, job.id, status.cancelled ? "cancelled" : "skipped"), outputs: {} };
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

function failToStart(plan: RunPlan, job: Job, message: string): JobOutcome {
  const jobId = plan.host.jobStarted({ name: job.id });
  plan.host.log(jobId, `##[error]${message}`);
  plan.host.jobCompleted(jobId, "failure");
  return { result: "failure", outputs: {} };
}
