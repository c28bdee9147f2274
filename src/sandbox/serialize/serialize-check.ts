import { formatNodeId } from "../state/ids.ts";
import type { CheckConclusion, CheckRun, CheckStatus, CheckSuite, CommitStatus } from "../state/check.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { formatOptionalTime, formatTime, type Schema, type Urls, type View } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";
import { serializeApp } from "./serialize-app.ts";
import { formatRepositoryPage, formatRepositoryUrl, serializeMinimalRepository } from "./serialize-repository.ts";

/** Open pull requests of the same repository whose head is this commit (those of forks are never listed). */
export function listPullsAt(repository: Repository, headSha: string): Pull[] {
  return [...repository.pulls.values()].filter(
    (pull) => pull.headSha === headSha && repository.issues.get(pull.number)?.state === "open",
  );
}

export function serializePullMinimal(urls: Urls, repository: Repository, pull: Pull): Schema<"pull-request-minimal"> {
  const root = formatRepositoryUrl(urls, repository);
  const repo = { id: repository.id, url: root, name: repository.name };
  return {
    id: pull.id,
    number: pull.number,
    url: `${root}/pulls/${pull.number}`,
    head: { ref: pull.headRef, sha: pull.headSha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  };
}

/** https://docs.github.com/en/rest/checks/runs#get-a-check-run */
export function serializeCheckRun(view: View, repository: Repository, run: CheckRun): Schema<"check-run"> {
  const { urls, world } = view;
  const url = `${formatRepositoryUrl(urls, repository)}/check-runs/${run.id}`;
  const app = world.findApp(run.appId);
  const page = `${formatRepositoryPage(urls, repository)}/runs/${run.id}`;
  const suite = repository.checkSuites.get(run.suiteId);
  return {
    id: run.id,
    name: run.name,
    node_id: formatNodeId("CR", run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    status: run.status,
    // The published type of a check run's conclusion lacks `startup_failure` and `stale`, which GitHub does report.
    conclusion: run.conclusion as Schema<"check-run">["conclusion"],
    started_at: formatOptionalTime(run.startedAt),
    completed_at: formatOptionalTime(run.completedAt),
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: app === null ? null : serializeApp(urls, app),
    pull_requests:
      suite?.countsOnPulls === false
        ? []
        : listPullsAt(repository, run.headSha).map((pull) => serializePullMinimal(urls, repository, pull)),
  };
}

/** Newest run per name: what `filter=latest` shows. */
export function listLatestChecks(runs: readonly CheckRun[]): CheckRun[] {
  const latest = new Map<string, CheckRun>();
  for (const run of [...runs].toSorted((a, b) => a.id - b.id)) latest.set(`${run.suiteId}:${run.name}`, run);
  return [...latest.values()];
}

export interface SuiteSummary {
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
}

const WORST_FIRST: readonly CheckConclusion[] = [
  "failure",
  "timed_out",
  "startup_failure",
  "cancelled",
  "action_required",
  "stale",
  "success",
  "neutral",
  "skipped",
];

/** A suite is completed when all its newest runs are; the worst conclusion wins. */
export function summariseSuite(repository: Repository, suite: CheckSuite): SuiteSummary {
  const all = [...repository.checkRuns.values()].filter((run) => run.suiteId === suite.id);
  const runs = listLatestChecks(all);
  if (suite.runId !== null) {
    const run = repository.runs.get(suite.runId);
    if (run !== undefined) return { status: run.status, conclusion: run.conclusion };
  }
  if (runs.length === 0) return { status: "queued", conclusion: null };
  if (runs.every((run) => run.status === "completed")) {
    return {
      status: "completed",
      conclusion: WORST_FIRST.find((candidate) => runs.some((run) => run.conclusion === candidate)) ?? null,
    };
  }
  return { status: runs.some((run) => run.status === "in_progress") ? "in_progress" : "queued", conclusion: null };
}

/** https://docs.github.com/en/rest/checks/suites#get-a-check-suite */
export function serializeCheckSuite(
  view: View,
  repository: Repository,
  suite: CheckSuite,
  headCommit: Schema<"simple-commit">,
): Schema<"check-suite"> {
  const { urls, world } = view;
  const url = `${formatRepositoryUrl(urls, repository)}/check-suites/${suite.id}`;
  const runs = [...repository.checkRuns.values()].filter((run) => run.suiteId === suite.id);
  const app = world.findApp(suite.appId);
  return {
    id: suite.id,
    node_id: formatNodeId("CS", suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...summariseSuite(repository, suite),
    url,
    before: suite.before,
    after: suite.headSha,
    pull_requests: suite.countsOnPulls
      ? listPullsAt(repository, suite.headSha).map((pull) => serializePullMinimal(urls, repository, pull))
      : [],
    app: app === null ? null : serializeApp(urls, app),
    repository: serializeMinimalRepository(urls, repository),
    created_at: formatTime(suite.createdAt),
    updated_at: formatTime(suite.updatedAt),
    head_commit: headCommit,
    latest_check_runs_count: listLatestChecks(runs).length,
    check_runs_url: `${url}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
  };
}

/** https://docs.github.com/en/rest/commits/statuses */
export function serializeStatus(urls: Urls, repository: Repository, status: CommitStatus): Schema<"status"> {
  return {
    url: `${formatRepositoryUrl(urls, repository)}/statuses/${status.sha}`,
    avatar_url: `${urls.html}/avatars/${status.creator.id}`,
    id: status.id,
    node_id: formatNodeId("SC", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: formatTime(status.createdAt),
    updated_at: formatTime(status.createdAt),
    creator: serializeAccount(urls, status.creator),
  };
}
