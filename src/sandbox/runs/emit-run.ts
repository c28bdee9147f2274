import { readCommit } from "../git/commit-object.ts";
import { describeOnce } from "./describe-once.ts";
import { serializeJob, serializeRun, serializeWorkflow } from "../serialize/serialize-run.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import type { Job, WorkflowRun } from "../state/workflow-run.ts";
import { emitEvent } from "../webhooks/emit-event.ts";

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#workflow_run */
export async function emitRun(
  services: Services,
  repository: Repository,
  run: WorkflowRun,
  action: "requested" | "in_progress" | "completed",
): Promise<void> {
  if (!services.webhooks.subscribed("workflow_run")) return;
  const commit = await readCommit(repository.git, run.headSha);
  const workflow = repository.workflows.get(run.path);
  const { name } = describeOnce(run.request.workflow);
  emitEvent(services, repository, {
    event: "workflow_run",
    action,
    sender: run.actor,
    payload: {
      workflow_run: serializeRun(services.urls, repository, run, commit),
      workflow: workflow === undefined ? null : serializeWorkflow(services.urls, repository, workflow, name),
    },
  });
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#workflow_job */
export function emitJob(
  services: Services,
  repository: Repository,
  run: WorkflowRun,
  job: Job,
  action: "in_progress" | "completed",
): void {
  if (!services.webhooks.subscribed("workflow_job")) return;
  emitEvent(services, repository, {
    event: "workflow_job",
    action,
    sender: run.actor,
    payload: { workflow_job: serializeJob(services.urls, repository, run, job) },
  });
}
