/** What is known of the repository's own checks on the accepted commit, and what must still be reported. */
import type { Sha } from "../contracts/ids.ts";
import { formatBranch, isOwnCheckName, WORKFLOW_PATH } from "../contracts/names.ts";
import type { AcceptState } from "../engine/state.ts";
import type { CiInput } from "../floor/ci/ci-input.ts";
import { expectWorkflow, type WorkflowExpectation } from "../floor/ci/expect-workflow.ts";
import type { RunSession } from "./run-session.ts";

/** How long something that need not come gets to appear. */
const GRACE_MS = 2 * 60_000;

export async function loadCi(session: RunSession, accept: AcceptState, sha: Sha): Promise<CiInput> {
  const { state, repository, fleet } = session;
  const now = fleet.clock.now();
  const graceOver = now >= (accept.acceptedAt ?? now) + GRACE_MS;
  const { ci } = state.run.config;
  const checkRuns = await repository.loadCheckRuns(sha);
  const statuses = await repository.loadStatuses(sha);
  const runs = (await repository.loadRunsOfCommit(sha)).filter((run) => !run.path.startsWith(WORKFLOW_PATH));
  const { id: ownAppId } = await fleet.github.loadApp();
  const required = await repository.loadRequiredChecks(state.run.source);
  const expectedChecks = required.filter(({ name }) => !isOwnCheckName(name));
  const seen = new Set(runs.map((run) => readPath(run.path)));
  const expectedWorkflows = await listAwaited(session, accept, seen, graceOver);
  const silent = !checkRuns.some((run) => run.appId !== ownAppId) && statuses.length === 0 && runs.length === 0;
  const nothingToCome = expectedWorkflows.length === 0 && expectedChecks.length === 0;
  return {
    checkRuns: checkRuns.map(({ id, name, appId, status, conclusion, startedAt, completedAt }) => ({
      id,
      name,
      appId,
      status,
      conclusion,
      startedAt: formatTime(startedAt),
      completedAt: formatTime(completedAt),
    })),
    statuses: statuses.map(({ context, state: word, createdAt }) => ({
      context,
      state: word,
      createdAt: formatTime(createdAt) ?? "",
    })),
    workflowRuns: runs.map((run) => ({
      id: run.id,
      workflow: readPath(run.path),
      event: run.event,
      attempt: 1,
      status: run.status,
      conclusion: run.conclusion,
      createdAt: formatTime(run.createdAt) ?? "",
    })),
    // The port gives whole lists or fails: it compares check runs with their count itself, statuses have none.
    totals: { checkRuns: null, statuses: null },
    expectedWorkflows,
    expectedChecks,
    ownAppId,
    ignore: ci.ignore,
    skipped: ci.skipped,
    // Where nobody checks anything, nobody is waited for.
    deadline: silent && nothingToCome && graceOver ? "passed" : "open",
  };
}

/** Workflows of the commit without a run: those that must start, and for a while those that may. */
async function listAwaited(
  session: RunSession,
  accept: AcceptState,
  seen: ReadonlySet<string>,
  graceOver: boolean,
): Promise<readonly string[]> {
  const awaited: string[] = [];
  for (const [path, expectation] of await loadExpectations(session, accept)) {
    if (seen.has(path) || expectation === "never" || (expectation === "possible" && graceOver)) continue;
    // One that somebody has switched off starts nothing; asked once it is overdue.
    if (graceOver && ((await session.repository.loadWorkflow(path))?.state ?? "active") !== "active") continue;
    awaited.push(path);
  }
  return awaited;
}

async function loadExpectations(
  { state, repository }: RunSession,
  accept: AcceptState,
): Promise<ReadonlyMap<string, WorkflowExpectation>> {
  const pushed = {
    branch: formatBranch({ kind: "integration", run: state.run.run }),
    base: state.featurePull === null ? null : state.run.source,
  };
  const expectations = new Map<string, WorkflowExpectation>();
  for (const entry of (await repository.loadTree(accept.tree)) ?? []) {
    if (!/^\.github\/workflows\/[^/]+\.ya?ml$/u.test(entry.path) || entry.path === WORKFLOW_PATH) continue;
    if (entry.type !== "blob") continue;
    const text = Buffer.from(await repository.loadBlob(entry.sha)).toString("utf8");
    expectations.set(entry.path, expectWorkflow(text, pushed));
  }
  return expectations;
}

/** GitHub may name the ref behind the file: `.github/workflows/ci.yml@refs/heads/main`. */
function readPath(path: string): string {
  return path.split("@")[0] ?? path;
}

function formatTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
