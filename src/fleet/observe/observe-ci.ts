import { WORKFLOW_PATH } from "../../contracts/names.ts";
import { deriveAcceptStep, deriveCiDeadline } from "../../engine/derive/accept-progress.ts";
import type { Fact } from "../../engine/fact.ts";
import type { AcceptState } from "../../engine/state.ts";
import { gatherCi } from "../../floor/gather-ci.ts";
import type { CiInput } from "../../floor/ci/ci-input.ts";
import type { RunSession } from "../run-session.ts";

/** A repository without workflows of its own gets this long for other Apps' checks to appear. */
const NO_CI_GRACE_MS = 2 * 60_000;

/** The repository's own checks on the accepted commit, when they are decided. */
export async function observeCi(session: RunSession): Promise<readonly Fact[]> {
  const { state, fleet } = session;
  const now = fleet.clock.now();
  const step = deriveAcceptStep(state, now);
  const accept = step.step === "ci" || step.step === "person" ? step.accept : null;
  if (accept === null || accept.accepted === null) return [];
  const input = await loadCi(session, accept, now);
  const gathered = gatherCi(input);
  if (gathered.state === "pending") return [];
  const rows = gathered.rows.map((row) => ({ name: row.name, state: row.state, detail: row.detail, url: "" }));
  return [{ kind: "CiGathered", n: accept.n, commit: accept.accepted, state: gathered.state, rows }];
}

async function loadCi(session: RunSession, accept: AcceptState, now: number): Promise<CiInput> {
  const { state, repository, fleet } = session;
  const sha = accept.accepted ?? accept.commit;
  const { ci } = state.run.config;
  const [checkRuns, statuses, runs, app] = [
    await repository.loadCheckRuns(sha),
    await repository.loadStatuses(sha),
    await repository.loadRunsOfCommit(sha),
    await fleet.github.loadApp(),
  ];
  const ownWorkflows = await listOwnWorkflows(session, accept);
  const graceOver = ownWorkflows.length === 0 && now >= (accept.acceptedAt ?? now) + NO_CI_GRACE_MS;
  return {
    checkRuns: checkRuns.map((run) => ({
      id: run.id,
      name: run.name,
      appId: run.appId,
      status: run.status,
      conclusion: run.conclusion,
      startedAt: formatTime(run.startedAt),
      completedAt: formatTime(run.completedAt),
    })),
    statuses: statuses.map((status) => ({
      context: status.context,
      state: status.state,
      createdAt: formatTime(status.createdAt) ?? "",
    })),
    workflowRuns: runs
      .filter((run) => !run.path.startsWith(WORKFLOW_PATH))
      .map((run) => ({
        id: run.id,
        workflow: run.path,
        event: run.event,
        attempt: 1,
        status: run.status,
        conclusion: run.conclusion,
        createdAt: formatTime(run.createdAt) ?? "",
      })),
    totals: { checkRuns: null, statuses: null },
    // Which workflows start for this commit is GitHub's business (filters); none is demanded by name.
    expectedWorkflows: [],
    ownAppId: app.id,
    ignore: ci.ignore,
    skipped: ci.skipped,
    deadline: now >= deriveCiDeadline(accept, state) || graceOver ? "passed" : "open",
  };
}

async function listOwnWorkflows(session: RunSession, accept: AcceptState): Promise<readonly string[]> {
  const tree = await session.repository.loadTree(accept.tree);
  return (tree ?? [])
    .map((entry) => entry.path)
    .filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/u.test(path) && path !== WORKFLOW_PATH);
}

function formatTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
