import { rm } from "node:fs/promises";
import type { Conclusion } from "../actions/runner-host.ts";
import { revokeRunTokens } from "../auth/tokens.ts";
import { emitSuite } from "../checks/record-check.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import type { WorkflowRun } from "../state/workflow-run.ts";
import { emitRun } from "./emit-run.ts";
import { JobRecorder } from "./job-recorder.ts";

/** Records a run's end, with what follows from it. */
export async function completeRun(
  services: Services,
  repository: Repository,
  run: WorkflowRun,
  conclusion: Conclusion,
): Promise<void> {
  run.status = "completed";
  run.conclusion = conclusion;
  run.updatedAt = services.world.now();
  revokeRunTokens(services.world, run.id);
  const suite = repository.checkSuites.get(run.suiteId);
  if (suite !== undefined) {
    suite.updatedAt = run.updatedAt;
    await emitSuite(services, repository, suite, { action: "completed", sender: run.actor });
  }
  await emitRun(services, repository, run, "completed");
}

/** Executes one run from the queue. A runner that throws has failed to start it. */
export async function executeRun(services: Services, repository: Repository, run: WorkflowRun): Promise<void> {
  run.status = "in_progress";
  run.startedAt = services.world.now();
  run.updatedAt = run.startedAt;
  await emitRun(services, repository, run, "in_progress");
  const recorder = new JobRecorder(services, repository, run);
  let conclusion: Conclusion;
  try {
    const outcome = await services.runner(run.request, recorder, run.abort.signal);
    conclusion = run.abort.signal.aborted ? "cancelled" : outcome.conclusion;
  } catch (error) {
    services.log({
      kind: "error",
      message: `run ${run.id}: ${error instanceof Error ? error.message : String(error)}`,
    });
    conclusion = run.abort.signal.aborted ? "cancelled" : "startup_failure";
  }
  await recorder.finish(conclusion);
  await rm(run.request.workDir, { recursive: true, force: true });
  await completeRun(services, repository, run, conclusion);
}
