import { join } from "node:path";
import type { WorkflowDescription } from "../actions/describe-workflow.ts";
import { formatRunName } from "../actions/format-run-name.ts";
import type { RunRequest, WorkflowEvent, WorkflowFile } from "../actions/runner-host.ts";
import { createSuite } from "../checks/record-check.ts";
import { formatRepositoryPage } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import { formatFullName, type Repository } from "../state/repository.ts";
import type { WorkflowRun } from "../state/workflow-run.ts";
import { emitRun } from "./emit-run.ts";
import { ensureWorkflow } from "./load-workflows.ts";

export interface RunParts {
  readonly file: WorkflowFile;
  readonly description: WorkflowDescription;
  readonly event: WorkflowEvent;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Full ref the job sees. */
  readonly ref: string;
  /** Commit the job sees. */
  readonly sha: string;
  /** Commit and branch the run is shown on. */
  readonly headSha: string;
  readonly headBranch: string;
  readonly pullNumbers: readonly number[];
  readonly actor: Account;
}

/** Records a run, announces it and puts it into the queue. */
export async function createRun(services: Services, repository: Repository, parts: RunParts): Promise<WorkflowRun> {
  const { world, urls } = services;
  const workflow = ensureWorkflow(services, repository, parts.file.path);
  const id = world.ids.take("run");
  const number = [...repository.runs.values()].filter((run) => run.workflowId === workflow.id).length + 1;
  const suite = createSuite(services, repository, {
    appId: world.actionsApp.id,
    headSha: parts.headSha,
    headBranch: parts.headBranch,
    before: null,
    runId: id,
    countsOnPulls: parts.event.name !== "workflow_dispatch",
  });
  const request: RunRequest = {
    runId: id,
    runNumber: number,
    runAttempt: 1,
    workflow: parts.file,
    event: parts.event,
    payload: parts.payload,
    ref: parts.ref,
    sha: parts.sha,
    actor: parts.actor.login,
    repository: {
      fullName: formatFullName(repository),
      id: repository.id,
      cloneUrl: `${formatRepositoryPage(urls, repository)}.git`,
      defaultBranch: repository.defaultBranch,
    },
    serverUrl: urls.html,
    apiUrl: urls.api,
    graphqlUrl: urls.graphql,
    secrets: Object.fromEntries([...repository.sharedSecrets, ...repository.secrets]),
    variables: Object.fromEntries(repository.variables),
    workDir: join(services.dataDir, "runs", String(id)),
  };
  const at = world.now();
  const run: WorkflowRun = {
    id,
    number,
    attempt: 1,
    workflowId: workflow.id,
    workflowName: parts.description.name,
    path: parts.file.path,
    displayTitle: formatRunName(parts.description, request),
    event: parts.event.name,
    headSha: parts.headSha,
    headBranch: parts.headBranch,
    pullNumbers: parts.pullNumbers,
    actor: parts.actor,
    suiteId: suite.id,
    request,
    status: "queued",
    conclusion: null,
    createdAt: at,
    startedAt: at,
    updatedAt: at,
    abort: new AbortController(),
  };
  repository.runs.set(id, run);
  await emitRun(services, repository, run, "requested");
  services.runs.enqueue(repository, run);
  return run;
}
