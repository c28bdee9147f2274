import { GitHubFailure } from "../../contracts/errors.ts";
import type { Fact } from "../../engine/fact.ts";
import { deriveJobDeadline } from "../../engine/decide/wait-for-job.ts";
import type { JobState } from "../../engine/state.ts";
import type { Sha } from "../../contracts/ids.ts";
import type { Remedy } from "../../contracts/job.ts";
import { WORKFLOW_PATH } from "../../contracts/names.ts";
import type { WorkflowRun } from "../../github/port.ts";
import { interpretResult } from "../results/interpret-result.ts";
import { readResult, type ResultReading } from "../results/read-result.ts";
import type { RunSession } from "../run-session.ts";
import { formatForeignWorkflow, judgeWorkflow } from "./judge-workflow.ts";
import type { RunEnd } from "./run-end.ts";

/**
 * An artifact may appear a little after its run has ended. GitHub tells when that was by `updated_at`, which it may
 * also touch later (github.com/octokit/rest.js/issues/518): the job's deadline ends the waiting, too.
 */
const ARTIFACT_GRACE_MS = 2 * 60_000;
const CLOCK_SKEW_MS = 10 * 60_000;

/** GitHub may answer the cancelling of a hanging run with 500 for days (github.com/actions/runner/issues/3329). */
const CANCEL_GRACE_MS = 60 * 60_000;

/**
 * Looks at a job's workflow run; when it has ended, says what came of it. Its artifact is believed only where the
 * whole run succeeded: code under test may have uploaded one of its own, and then the worker's upload fails with
 * the run (github.com/actions/upload-artifact#not-uploading-to-the-same-artifact). An agent that failed is no
 * failed run: the worker says so in its result.
 *
 * @param told what a delivery says of a run's end: where it is this job's run, nobody needs to ask how it is.
 */
export async function observeJob(session: RunSession, job: JobState, told: RunEnd | null): Promise<readonly Fact[]> {
  if (job.status === "ended") return [];
  if (told !== null && told.runId === job.runId) {
    if (told.conclusion !== "success") return [endUnbelieved(job, null, told.conclusion)];
    const reading = await readResult(session.repository, job, told.runId);
    if (reading.outcome !== "missing") return concludeJob(session, job, { run: null, headSha: told.headSha }, reading);
  }
  const run = await findRun(session, job);
  const now = session.fleet.clock.now();
  const deadline = deriveJobDeadline(session.state, job);
  const overdue = now >= deadline;
  if (run === null)
    return overdue ? [endJob(job, null, "lost", "GitHub accepted the dispatch and no run appeared")] : [];
  if (run.status !== "completed") {
    if (!overdue) return [];
    const cancelled = await cancel(session, run, now >= deadline + CANCEL_GRACE_MS);
    const what = cancelled ? "and was cancelled" : "and GitHub does not cancel it";
    return [endJob(job, run, "lost", `the run did not end in time ${what}`)];
  }
  if (run.conclusion !== "success") return [endUnbelieved(job, run, run.conclusion ?? "nothing")];
  const reading = await readResult(session.repository, job, run.id);
  if (reading.outcome === "missing") {
    if (now < run.updatedAt + ARTIFACT_GRACE_MS && !overdue) return [];
    return [endJob(job, run, "lost", 'the workflow run ended with "success" and left no result')];
  }
  return concludeJob(session, job, { run, headSha: run.headSha }, reading);
}

/**
 * @returns false when GitHub refuses for good, or has done so for long: nothing waits for a run that cannot be ended.
 * That GitHub wants a pause first is no refusal.
 */
async function cancel(session: RunSession, run: WorkflowRun, lateEnough: boolean): Promise<boolean> {
  try {
    await session.repository.cancelRun(run.id);
    return true;
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind === "dormant") throw error;
    if (error.kind === "transient" && (!lateEnough || error.details.retryAfterMs !== undefined)) throw error;
    return false;
  }
}

/** Nobody's try: cancelled, out of time, a broken machine, or two results where there may be one. */
function endUnbelieved(job: JobState, run: WorkflowRun | null, conclusion: string): Fact {
  return endJob(job, run, "lost", `the workflow run ended with "${conclusion}", so nothing it left is believed`);
}

interface Ended {
  /** null when only its artifact was looked at. */
  readonly run: WorkflowRun | null;
  /** The commit it began at. */
  readonly headSha: Sha;
}

/** Whose workflow file a run followed is asked before anything it left is read. */
async function concludeJob(
  session: RunSession,
  job: JobState,
  { run, headSha }: Ended,
  reading: Exclude<ResultReading, { readonly outcome: "missing" }>,
): Promise<readonly Fact[]> {
  switch (await judgeWorkflow(session, headSha)) {
    case "foreign":
      return [endJob(job, run, "lost", formatForeignWorkflow(session, `\`${headSha.slice(0, 10)}\`, where it began,`))];
    case "unseen":
      if (session.fleet.clock.now() < deriveJobDeadline(session.state, job)) return [];
      return [endJob(job, run, "lost", `GitHub does not show the workflow file at ${headSha}, where the run began`)];
    case "known":
  }
  if (reading.outcome === "garbage") return [endJob(job, run, "unusable", reading.reason)];
  const { result } = reading;
  const { usage, promptVersion } = result;
  const said = { usage, ...(promptVersion === undefined ? {} : { promptVersion }) };
  if (result.outcome !== "done") {
    const { remedy } = result;
    const ended = { ...endJob(job, run, result.outcome, result.cause), ...said };
    if (remedy === undefined || result.outcome !== "external") return [ended];
    return [{ ...ended, remedy: limitWait(remedy, session.fleet.clock.now()) }];
  }
  const facts = await interpretResult(session, job, result);
  if ("outcome" in facts) return [{ ...endJob(job, run, facts.outcome, facts.cause), ...said }];
  return [{ ...endJob(job, run, "done", result.summary), ...said }, ...facts];
}

/** What a job says holds up no agent for longer than this. */
const LONGEST_WAIT_MS = 12 * 60 * 60_000;

function limitWait(remedy: Remedy, now: number): Remedy {
  if (remedy.kind !== "wait" || remedy.until === undefined) return remedy;
  return { kind: "wait", until: Math.min(remedy.until, now + LONGEST_WAIT_MS) };
}

/** The oldest run that carries the job's id: a doubled one ends by itself. */
async function findRun(session: RunSession, job: JobState): Promise<WorkflowRun | null> {
  if (job.runId !== null) {
    const run = await session.repository.loadWorkflowRun(job.runId);
    if (run !== null && run.path.startsWith(WORKFLOW_PATH)) return run;
  }
  const [oldest] = await session.repository.loadWorkflowRuns(job.job, job.dispatchedAt - CLOCK_SKEW_MS);
  return oldest ?? null;
}

function endJob(
  job: JobState,
  run: WorkflowRun | null,
  outcome: "done" | "unusable" | "external" | "lost",
  cause: string,
): Extract<Fact, { kind: "JobEnded" }> {
  return {
    kind: "JobEnded",
    job: job.job,
    outcome,
    cause: cause.slice(0, 2000),
    usage: null,
    runId: run?.id ?? job.runId,
    url: run?.url ?? job.url,
  };
}
