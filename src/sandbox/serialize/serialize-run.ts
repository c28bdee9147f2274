import type { Commit } from "../git/commit-object.ts";
import { formatNodeId } from "../state/ids.ts";
import type { Repository } from "../state/repository.ts";
import type { Artifact, Job, Workflow, WorkflowRun } from "../state/workflow-run.ts";
import { formatOptionalTime, formatTime, type Schema, type Urls } from "../view.ts";
import { serializeAccount } from "./serialize-account.ts";
import { serializePullMinimal } from "./serialize-check.ts";
import { formatRepositoryPage, formatRepositoryUrl, serializeMinimalRepository } from "./serialize-repository.ts";

/** The commit as runs, suites and pushes quote it. */
export function serializeSimpleCommit(commit: Commit): Schema<"simple-commit"> {
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: formatTime(commit.committer.at),
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  };
}

/** https://docs.github.com/en/rest/actions/workflow-runs#get-a-workflow-run */
export function serializeRun(
  urls: Urls,
  repository: Repository,
  run: WorkflowRun,
  headCommit: Commit | null,
): Schema<"workflow-run"> {
  const root = formatRepositoryUrl(urls, repository);
  const url = `${root}/actions/runs/${run.id}`;
  const actor = serializeAccount(urls, run.actor);
  return {
    id: run.id,
    name: run.workflowName,
    node_id: formatNodeId("WFR", run.id),
    check_suite_id: run.suiteId,
    check_suite_node_id: formatNodeId("CS", run.suiteId),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: run.path,
    display_title: run.displayTitle,
    run_number: run.number,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflowId,
    url,
    html_url: `${formatRepositoryPage(urls, repository)}/actions/runs/${run.id}`,
    pull_requests: run.pullNumbers.flatMap((number) => {
      const pull = repository.pulls.get(number);
      return pull === undefined ? [] : [serializePullMinimal(urls, repository, pull)];
    }),
    created_at: formatTime(run.createdAt),
    updated_at: formatTime(run.updatedAt),
    run_started_at: formatTime(run.startedAt),
    actor,
    triggering_actor: actor,
    referenced_workflows: [],
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${root}/check-suites/${run.suiteId}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${root}/actions/workflows/${run.workflowId}`,
    head_commit: headCommit === null ? null : serializeSimpleCommit(headCommit),
    repository: serializeMinimalRepository(urls, repository),
    head_repository: serializeMinimalRepository(urls, repository),
  };
}

/** https://docs.github.com/en/rest/actions/workflows#get-a-workflow */
export function serializeWorkflow(
  urls: Urls,
  repository: Repository,
  workflow: Workflow,
  name: string,
): Schema<"workflow"> {
  const page = formatRepositoryPage(urls, repository);
  return {
    id: workflow.id,
    node_id: formatNodeId("W", workflow.id),
    name,
    path: workflow.path,
    state: "active",
    created_at: formatTime(workflow.createdAt),
    updated_at: formatTime(workflow.createdAt),
    url: `${formatRepositoryUrl(urls, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${page}/blob/${repository.defaultBranch}/${workflow.path}`,
    badge_url: `${page}/workflows/${encodeURIComponent(name)}/badge.svg`,
  };
}

/** https://docs.github.com/en/rest/actions/workflow-jobs */
export function serializeJob(urls: Urls, repository: Repository, run: WorkflowRun, job: Job): Schema<"job"> {
  const root = formatRepositoryUrl(urls, repository);
  return {
    id: job.id,
    run_id: run.id,
    run_url: `${root}/actions/runs/${run.id}`,
    run_attempt: run.attempt,
    node_id: formatNodeId("CR", job.id),
    head_sha: run.headSha,
    head_branch: run.headBranch,
    url: `${root}/actions/jobs/${job.id}`,
    html_url: `${formatRepositoryPage(urls, repository)}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion as Schema<"job">["conclusion"],
    created_at: formatTime(run.createdAt),
    started_at: formatTime(job.startedAt),
    completed_at: formatOptionalTime(job.completedAt),
    name: job.name,
    steps: [],
    check_run_url: `${root}/check-runs/${job.id}`,
    labels: ["ubuntu-latest"],
    runner_id: 1,
    runner_name: "sandbox",
    runner_group_id: 1,
    runner_group_name: "GitHub Actions",
    workflow_name: run.workflowName,
  };
}

/** Artifacts are kept 90 days by default. */
const RETENTION_MS = 90 * 24 * 3600 * 1000;

/** https://docs.github.com/en/rest/actions/artifacts#get-an-artifact */
export function serializeArtifact(
  urls: Urls,
  repository: Repository,
  run: WorkflowRun,
  artifact: Artifact,
): Schema<"artifact"> {
  const url = `${formatRepositoryUrl(urls, repository)}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: formatNodeId("MDg", artifact.id),
    name: artifact.name,
    size_in_bytes: artifact.size,
    url,
    archive_download_url: `${url}/zip`,
    expired: false,
    created_at: formatTime(artifact.createdAt),
    updated_at: formatTime(artifact.createdAt),
    expires_at: formatTime(artifact.createdAt + RETENTION_MS),
    digest: `sha256:${artifact.digest}`,
    workflow_run: {
      id: run.id,
      repository_id: repository.id,
      head_repository_id: repository.id,
      head_branch: run.headBranch,
      head_sha: run.headSha,
    },
  };
}
