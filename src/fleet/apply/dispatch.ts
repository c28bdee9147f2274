import { formatBlobName } from "../../contracts/blob-name.ts";
import type { JobId, Sha } from "../../contracts/ids.ts";
import type { JobRequest } from "../../contracts/job.ts";
import { GitHubFailure } from "../../contracts/errors.ts";
import { parseBranch, parseJobSubject, WORKFLOW_PATH } from "../../contracts/names.ts";
import type { Dispatch, DocumentText } from "../../engine/action.ts";
import { formatDispatchEffect } from "../../engine/derive/doubtful-jobs.ts";
import type { Fact } from "../../engine/fact.ts";
import type { WorkflowRun } from "../../github/port.ts";
import { describeDispatch } from "./describe-dispatch.ts";
import { makeBranch } from "./make-branch.ts";
import type { WorkOf } from "./work-of.ts";
import { formatForeignWorkflow, judgeWorkflow } from "../observe/judge-workflow.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

/** Runs older than the effect's beginning by this much are not looked at when probing. */
const PROBE_MARGIN_MS = 10 * 60_000;

export async function applyDispatch(session: RunSession, action: WorkOf<"DispatchJob">): Promise<readonly Fact[]> {
  const { dispatch } = action;
  if (action.probe) {
    const pending = session.state.pending[action.key];
    const existing = await findDoubtful(session, dispatch.job);
    if (existing !== null) {
      // It went out for what was needed then and began where the tip was then: both may be other ones by now.
      const began = pending?.purpose === undefined ? describeDispatch(dispatch) : pending;
      return [buildFact(dispatch, began, { effect: action.key, runId: existing.id, url: existing.url })];
    }
    // It was never sent out: whether it should be now, and on what, is decided anew.
    return [{ kind: "EffectEnded", effect: action.key }];
  }
  const made = await createBranchFor(session, dispatch);
  // Where a job was tried before, or the branch is not where it was to begin, somebody may have pushed to it.
  if (dispatch.subject.n > 1 || made === "elsewhere") await avoidForeignWorkflow(session, dispatch);
  const request: JobRequest = { ...dispatch.request, documents: await createDocuments(session, dispatch) };
  const runId = await sendOut(session, dispatch, request);
  const url = runId === null ? null : `${session.state.run.repository.url}/actions/runs/${runId}`;
  return [buildFact(dispatch, describeDispatch(dispatch), { effect: action.key, runId, url })];
}

/** The run of a job that may have been sent out, or null where GitHub shows none. */
async function findDoubtful(session: RunSession, job: JobId): Promise<WorkflowRun | null> {
  const begun = session.state.pending[formatDispatchEffect(job)]?.from ?? session.fleet.clock.now();
  const [existing] = await session.repository.loadWorkflowRuns(job, begun - PROBE_MARGIN_MS);
  return existing ?? null;
}

/** A branch of verified work that somebody has deleted is made again at the commit the job is about. */
async function sendOut(session: RunSession, dispatch: Dispatch, request: JobRequest): Promise<number | null> {
  const { repository } = session;
  const send = (): Promise<number | null> =>
    repository.dispatchWorkflow({
      path: WORKFLOW_PATH,
      ref: dispatch.branch,
      inputs: { role: dispatch.subject.role, request: JSON.stringify(request), job: dispatch.job },
    });
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
    const kind = parseBranch(dispatch.branch)?.kind;
    if ((kind !== "candidate" && kind !== "chunk") || (await repository.loadBranch(dispatch.branch)) !== null)
      throw error;
    await repository.createBranch(dispatch.branch, request.commit as Sha);
    return send();
  }
}

function buildFact(
  { job, subject, attemptOf }: Pick<Dispatch, "job" | "subject" | "attemptOf">,
  { purpose, attempt, agent }: Partial<ReturnType<typeof describeDispatch>>,
  made: { readonly effect: string; readonly runId: number | null; readonly url: string | null },
): Fact {
  return {
    kind: "JobDispatched",
    ...made,
    job,
    subject,
    attempt: attempt ?? null,
    attemptOf,
    ...(purpose === undefined ? {} : { purpose }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/**
 * A chunk's branch exists from its first attempt on, at the integration tip it starts from. Before a later
 * attempt it is made sure of, too: somebody may have deleted it.
 */
async function createBranchFor(session: RunSession, dispatch: Dispatch): Promise<"as asked" | "elsewhere"> {
  if (dispatch.branchAt === null) return "as asked";
  const head = await makeBranch(session.repository, dispatch.branch, dispatch.branchAt);
  // Elsewhere it is an older attempt's, which the next commit builds upon.
  return head === dispatch.branchAt ? "as asked" : "elsewhere";
}

/**
 * The workflow file that would run is the branch's own. A job that was sent out all the same gives nothing that is
 * believed (see `observe-job`); people who have changed the file on a branch of ours are told before the next one.
 * Where the branch holds nothing that the integration branch does not, it follows that one, which may be mended.
 * @throws GitHubFailure of kind misconfigured.
 */
async function avoidForeignWorkflow(session: RunSession, { branch, branchAt }: Dispatch): Promise<void> {
  const head = await session.repository.loadBranch(branch);
  if (head === null || (await judgeWorkflow(session, head)) !== "foreign") return;
  const mended = branchAt !== null && (await judgeWorkflow(session, branchAt)) === "known";
  if (mended && (await moveForward(session, branch, branchAt))) return;
  throw new GitHubFailure("misconfigured", formatForeignWorkflow(session, `The branch \`${branch}\``));
}

/** @returns whether it was a step forward, so that nothing is lost by it. */
async function moveForward(session: RunSession, branch: string, to: Sha): Promise<boolean> {
  try {
    await session.repository.updateBranch(branch, to);
    return true;
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
    return false;
  }
}

async function createDocuments(session: RunSession, dispatch: Dispatch): Promise<JobRequest["documents"]> {
  const { config, intent, plan, feedback } = dispatch.documents;
  const texts: ReadonlyArray<readonly [keyof JobRequest["documents"], DocumentText | null]> = [
    ["config", config],
    ["intent", intent],
    ["plan", plan],
    ["feedback", feedback === null ? null : { kind: "text", text: `${JSON.stringify(feedback, null, 2)}\n` }],
  ];
  const documents: JobRequest["documents"] = {};
  for (const [name, document] of texts) if (document !== null) documents[name] = await nameDocument(session, document);
  return documents;
}

async function nameDocument(session: RunSession, document: DocumentText): Promise<Sha> {
  switch (document.kind) {
    case "blob":
      return document.sha;
    case "committed":
      return formatBlobName(document.text);
    case "text":
      return session.repository.createBlob(document.text);
  }
}

export async function applyCancel(session: RunSession, action: WorkOf<"CancelJob">): Promise<readonly Fact[]> {
  const job = findRow(session.state.jobs, action.job);
  if (job === undefined) return lookForUnwanted(session, action.job);
  let runId = action.runId;
  if (runId === null) {
    const [run] = await session.repository.loadWorkflowRuns(action.job, job.dispatchedAt - PROBE_MARGIN_MS);
    runId = run?.id ?? null;
  }
  if (runId !== null) await session.repository.cancelRun(runId);
  return [
    { kind: "JobEnded", job: action.job, outcome: "cancelled", cause: action.reason, usage: null, runId, url: null },
  ];
}

/**
 * One that may have been sent out, and that nobody asks for any more: what is found counts as what it costs, takes its
 * number and is nobody's attempt. Known from now on, it is stopped as every job whose result is not needed.
 */
async function lookForUnwanted(session: RunSession, job: JobId): Promise<readonly Fact[]> {
  const effect = formatDispatchEffect(job);
  const subject = parseJobSubject(job);
  const run = await findDoubtful(session, job);
  if (run === null || subject === null) return [{ kind: "EffectEnded", effect }];
  const { purpose, agent } = session.state.pending[effect] ?? {};
  const began = {
    ...(purpose === undefined ? {} : { purpose }),
    ...(agent === undefined ? {} : { agent }),
  };
  return [buildFact({ job, subject, attemptOf: null }, began, { effect, runId: run.id, url: run.url })];
}
