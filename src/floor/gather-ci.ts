/**
 * The repository's own checks under one rule: the newest attempt of each identity decides, only
 * listed conclusions are good, what is absent or unfinished is pending until the deadline.
 * Check runs and legacy statuses: docs.github.com/en/rest/checks/runs, /commits/statuses.
 */
import type { Violation } from "../contracts/floor-result.ts";
import type { CheckRunView, CiInput, CiRow, StatusView, WorkflowRunView } from "./ci/ci-input.ts";

export interface GatheredCi {
  readonly state: "pass" | "fail" | "pending";
  readonly rows: readonly CiRow[];
  readonly violations: readonly Violation[];
}

export function gatherCi(input: CiInput): GatheredCi {
  const ignored = new Set(input.ignore);
  const rows = [
    ...listCheckRows(input, ignored),
    ...listStatusRows(input, ignored),
    ...listWorkflowRows(input, ignored),
    ...listMissingChecks(input, ignored),
  ].sort((a, b) => (a.name === b.name ? compare(a.source, b.source) : compare(a.name, b.name)));
  const short = listShortPages(input);
  const absent = rows.length === 0 && input.deadline === "open";
  const pending = short.length > 0 || absent || rows.some((row) => row.state === "pending");
  const failed = rows.filter((row) => row.state === "fail");
  if (failed.length > 0) return { state: "fail", rows, violations: [...failed.map(describeFailure), ...short] };
  if (!pending) return { state: "pass", rows, violations: [] };
  if (input.deadline === "open") return { state: "pending", rows, violations: [] };
  const overdue = rows.filter((row) => row.state === "pending").map(describeOverdue);
  return { state: "fail", rows, violations: [...overdue, ...short] };
}

function listCheckRows(input: CiInput, ignored: ReadonlySet<string>): readonly CiRow[] {
  const foreign = input.checkRuns.filter(
    (run) => !ignored.has(run.name) && (input.ownAppId === null || run.appId !== input.ownAppId),
  );
  const newest = pickNewest(foreign, formatCheckIdentity, compareCheckRuns);
  return newest.map((run) => ({ name: run.name, source: "check", ...judge(run.status, run.conclusion, input) }));
}

/** Two Apps may use one name, and so may two workflows: each is a check of its own. */
function formatCheckIdentity(run: CheckRunView): string {
  return JSON.stringify([run.appId, run.workflow ?? null, run.name]);
}

/** By start; GitHub's ids grow, so they decide where the time is missing or equal. */
function compareCheckRuns(a: CheckRunView, b: CheckRunView): number {
  if (a.startedAt !== null && b.startedAt !== null) {
    const order = compare(a.startedAt, b.startedAt);
    if (order !== 0) return order;
  }
  return a.id - b.id;
}

function listStatusRows(input: CiInput, ignored: ReadonlySet<string>): readonly CiRow[] {
  const foreign = input.statuses.filter((status) => !ignored.has(status.context));
  // The API lists newest first; of two within one second the first listed is the newer one.
  const oldestFirst = [...foreign].reverse();
  const newest = pickNewest(
    oldestFirst,
    (status: StatusView) => status.context,
    (a, b) => compare(a.createdAt, b.createdAt),
  );
  return newest.map(({ context, state }) => ({
    name: context,
    source: "status",
    state: state === "success" ? "pass" : state === "pending" ? "pending" : "fail",
    detail: state,
  }));
}

function listWorkflowRows(input: CiInput, ignored: ReadonlySet<string>): readonly CiRow[] {
  const runs = input.workflowRuns.filter((run) => !ignored.has(run.workflow));
  const newest = pickNewest(
    runs,
    (run: WorkflowRunView) => JSON.stringify([run.workflow, run.event]),
    (a, b) => compare(a.createdAt, b.createdAt) || a.id - b.id || a.attempt - b.attempt,
  );
  const seen = new Set(runs.map((run) => run.workflow));
  const missing = input.expectedWorkflows.filter((name) => !seen.has(name) && !ignored.has(name));
  return [
    ...newest.map((run): CiRow => ({
      name: run.workflow,
      source: "workflow",
      ...judge(run.status, run.conclusion, input),
    })),
    ...missing.map((name): CiRow => ({ name, source: "workflow", state: "pending", detail: "missing" })),
  ];
}

/** What rules demand and nobody has reported. */
function listMissingChecks(input: CiInput, ignored: ReadonlySet<string>): readonly CiRow[] {
  const missing = input.expectedChecks.filter(
    ({ name, appId }) =>
      !ignored.has(name) &&
      (appId === null || appId !== input.ownAppId) &&
      !input.checkRuns.some((run) => run.name === name && (appId === null || run.appId === appId)) &&
      // A status tells no App.
      !input.statuses.some((status) => status.context === name),
  );
  return missing.map(({ name }): CiRow => ({ name, source: "check", state: "pending", detail: "missing" }));
}

function judge(status: string, conclusion: string | null, input: CiInput): Pick<CiRow, "state" | "detail"> {
  if (status !== "completed") return { state: "pending", detail: status };
  switch (conclusion) {
    case "success":
    case "neutral":
      return { state: "pass", detail: conclusion };
    case "skipped":
      return { state: input.skipped, detail: conclusion };
    case "action_required":
      // Nothing ran: a first-time contributor's run waits for a maintainer's approval.
      return { state: "pending", detail: "waits for a person" };
    default:
      // failure, cancelled, timed_out, startup_failure, stale, and whatever is invented later.
      return { state: "fail", detail: conclusion ?? "completed without a conclusion" };
  }
}

/** The newest entry of each identity, in the order in which the identities first appear. */
function pickNewest<Entry>(
  entries: readonly Entry[],
  identify: (entry: Entry) => string,
  order: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    const key = identify(entry);
    const known = newest.get(key);
    if (known === undefined || order(known, entry) <= 0) newest.set(key, entry);
  }
  return [...newest.values()];
}

/** A page that did not arrive may hold the failure. */
function listShortPages({ totals, checkRuns, statuses }: CiInput): readonly Violation[] {
  const lists = [
    { what: "check runs", total: totals.checkRuns, got: checkRuns.length },
    { what: "statuses", total: totals.statuses, got: statuses.length },
  ];
  return lists
    .filter(({ total, got }) => total !== null && got < total)
    .map(({ what, total, got }) => ({
      gate: 9,
      rule: "ci-incomplete",
      message: `GitHub announces ${total} ${what} and listed ${got}.`,
      was: String(total),
      now: String(got),
    }));
}

function describeFailure(row: CiRow): Violation {
  return {
    gate: 9,
    rule: "ci-failed",
    message: `${label(row)} ended with ${row.detail}.`,
    was: "success",
    now: row.detail,
  };
}

function describeOverdue(row: CiRow): Violation {
  return {
    gate: 9,
    rule: row.detail === "missing" ? "ci-missing" : "ci-overdue",
    message: `${label(row)} has not ended in time (${row.detail}).`,
    was: "success",
    now: row.detail,
    hint: row.detail === "waits for a person" ? "Approve the workflow run." : "Look at the repository's CI.",
  };
}

function label(row: CiRow): string {
  return row.source === "workflow" ? `The workflow ${row.name}` : `The check ${row.name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
