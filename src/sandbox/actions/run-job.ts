import { randomUUID } from "node:crypto";
import path from "node:path";
import { derivePermissions } from "./derive-permissions.ts";
import { endOrphans } from "./end-orphans.ts";
import type { MatrixEntry } from "./expand-matrix.ts";
import { type Value, evaluateText, evaluateTexts } from "./expressions.ts";
import { deriveBaseEnv, deriveJobVariables, deriveRunnerContext } from "./job-environment.ts";
import { createJobFolders, removeFolder } from "./job-folders.ts";
import { type JobLog, createJobLog } from "./job-log.ts";
import { type Frame, type JobSession, type Result, type RunnerOptions, buildStepScope } from "./job-session.ts";
import { killGroup } from "./run-process.ts";
import { runSteps } from "./run-steps.ts";
import type { Permission, RunRequest, RunnerHost } from "./runner-host.ts";
import type { Job, Workflow } from "./workflow.ts";

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idtimeout-minutes */
const defaultTimeoutMinutes = 360;

/** One job of a run (one combination of its matrix), decided to start. */
export interface JobPlan {
  readonly workflow: Workflow;
  readonly job: Job;
  readonly name: string;
  readonly github: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, string | boolean>>;
  readonly needs: Readonly<Record<string, unknown>>;
  readonly matrix: MatrixEntry;
  readonly strategy: Readonly<Record<string, Value>>;
}

export interface JobEnd {
  readonly result: Exclude<Result, "skipped">;
  readonly outputs: Readonly<Record<string, string>>;
}

export interface JobSurroundings {
  readonly request: RunRequest;
  readonly host: RunnerHost;
  readonly options: RunnerOptions;
  /** Aborted when this job is cancelled. */
  readonly cancel: AbortSignal;
  /** Aborted when the patience after the run's cancellation is over, for jobs that went on, too. */
  readonly force: AbortSignal;
}

/** Runs one job from a fresh folder to the removal of that folder. Never throws. */
export async function runJob(plan: JobPlan, surroundings: JobSurroundings): Promise<JobEnd> {
  const { request, host, options } = surroundings;
  const jobId = host.jobStarted({ name: plan.name });
  const log = createJobLog((line) => host.log(jobId, line), options.maxLogBytes);
  const root = path.join(request.workDir, `job-${jobId}-${randomUUID().slice(0, 8)}`);
  const cancel = new AbortController();
  const force = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const stop = (): void => {
    if (cancel.signal.aborted) return;
    timers.push(setTimeout(() => force.abort(), options.times.cancelMs));
    cancel.abort();
  };
  surroundings.cancel.addEventListener("abort", stop, { once: true });
  const onForce = (): void => {
    stop();
    force.abort();
  };
  surroundings.force.addEventListener("abort", onForce, { once: true });
  let end: JobEnd = { result: "failure", outputs: {} };
  let session: JobSession | null = null;
  try {
    session = await openSession(plan, surroundings, { jobId, log, root, cancel: cancel.signal, force: force.signal });
    timers.push(startTimeout(plan, session, stop));
    end = await executeJob(plan, session);
  } catch (error) {
    log.write(`##[error]${error instanceof Error ? error.message : String(error)}`);
  }
  for (const timer of timers) clearTimeout(timer);
  surroundings.cancel.removeEventListener("abort", stop);
  surroundings.force.removeEventListener("abort", onForce);
  if (session !== null) await endProcesses(session);
  await removeFolder(root).catch((error: Error) => log.write(`##[warning]${error.message}`));
  log.close();
  host.jobCompleted(jobId, end.result);
  return end;
}

interface SessionParts extends Pick<JobSession, "jobId" | "log" | "cancel" | "force"> {
  readonly root: string;
}

async function openSession(
  plan: JobPlan,
  { request, host, options }: JobSurroundings,
  { root, ...parts }: SessionParts,
): Promise<JobSession> {
  const { job, workflow } = plan;
  const permissions = derivePermissions(workflow.permissions, job.permissions);
  const token = host.issueToken(permissions);
  const secrets = { ...request.secrets, GITHUB_TOKEN: token };
  for (const secret of Object.values(secrets)) parts.log.mask(secret);
  const github = { ...plan.github, job: job.id };
  const folders = await createJobFolders(root, request.repository.fullName, plan.github["event"]);
  const facts = {
    execPath: process.execPath,
    path: process.env["PATH"] ?? "",
    platform: process.platform,
    arch: process.arch,
  };
  const runner = deriveRunnerContext(facts, folders);
  const trackingId = `github_${randomUUID()}`;
  logHeader(plan, permissions, parts.log);
  if (job.unsupported.length > 0)
    throw new Error(`The sandbox cannot run jobs with \`${job.unsupported.join("`, `")}\`.`);
  return {
    ...parts,
    request,
    host,
    options,
    folders,
    token,
    contexts: {
      github,
      inputs: plan.inputs,
      needs: plan.needs,
      vars: request.variables ?? {},
      secrets,
      matrix: plan.matrix,
      strategy: plan.strategy,
      runner,
    },
    variables: deriveJobVariables(github, runner, folders, trackingId),
    baseEnv: deriveBaseEnv(facts, folders),
    trackingId,
    state: { env: {}, path: [], posts: [], leftBehind: [], stepCount: 0 },
  };
}

function logHeader(plan: JobPlan, permissions: Readonly<Record<string, Permission>>, log: JobLog): void {
  log.write(`Job ${plan.name} runs as local processes; this is no isolation.`);
  log.write("##[group]GITHUB_TOKEN Permissions");
  for (const [scope, level] of Object.entries(permissions)) log.write(`${scope}: ${level}`);
  log.write("##[endgroup]");
  for (const key of new Set([...plan.workflow.ignored, ...plan.job.ignored]))
    log.write(`##[warning]\`${key}\` has no effect in the sandbox.`);
}

async function executeJob(plan: JobPlan, session: JobSession): Promise<JobEnd> {
  const { workflow, job } = plan;
  const frame = createJobFrame(plan);
  const scope = (): ReturnType<typeof buildStepScope> => buildStepScope(session, frame, {});
  Object.assign(session.state.env, evaluateTexts(workflow.env, scope()));
  Object.assign(session.state.env, evaluateTexts(job.env, scope()));
  await runSteps(session, frame, job.steps, null);
  for (const post of session.state.posts.toReversed()) {
    session.log.write(`##[group]${post.name}`);
    session.log.write("##[endgroup]");
    try {
      await post.run();
    } catch (error) {
      session.log.write(`##[error]${error instanceof Error ? error.message : String(error)}`);
      frame.failed = true;
    }
  }
  const outputs = collectOutputs(evaluateTexts(job.outputs, scope()), session);
  return { result: session.cancel.aborted ? "cancelled" : frame.failed ? "failure" : "success", outputs };
}

function createJobFrame({ job, workflow }: JobPlan): Frame {
  return {
    results: {},
    inputs: null,
    env: {},
    defaults: {
      shell: job.defaults.shell ?? workflow.defaults.shell,
      workingDirectory: job.defaults.workingDirectory ?? workflow.defaults.workingDirectory,
    },
    action: null,
    depth: 0,
    failed: false,
  };
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idoutputs: outputs with secrets are not sent. */
function collectOutputs(outputs: Readonly<Record<string, string>>, session: JobSession): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(outputs)) {
    if (session.log.contains(value)) session.log.write(`##[warning]Skip output '${name}' since it may contain secret.`);
    else kept[name] = value;
  }
  return kept;
}

function startTimeout(plan: JobPlan, session: JobSession, stop: () => void): NodeJS.Timeout {
  const { timeoutMinutes } = plan.job;
  const asked =
    timeoutMinutes === null
      ? NaN
      : Number(evaluateText(timeoutMinutes, buildStepScope(session, createJobFrame(plan), {})));
  const minutes = asked > 0 ? Math.min(asked, defaultTimeoutMinutes) : defaultTimeoutMinutes;
  return setTimeout(() => {
    session.log.write(`##[error]The job has exceeded the maximum execution time of ${minutes} minutes.`);
    // GitHub reports such a job as cancelled, not as timed out: https://github.com/solvcon/solvcon/issues/772
    stop();
  }, minutes * 60_000);
}

async function endProcesses(session: JobSession): Promise<void> {
  for (const group of session.state.leftBehind) killGroup(group);
  await endOrphans(session.trackingId);
}
