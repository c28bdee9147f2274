/** Workflow runs, from queued to completed. */
import { WORKFLOW_PATH } from "../../../src/contracts/names.ts";
import type { Actor } from "../../../src/github/port.ts";
import type { GitHubModel } from "./github-model.ts";
import { APP } from "./identities.ts";
import type { ModelRun } from "./things.ts";
import { Timeline } from "./timeline.ts";

export function createRun(
  model: GitHubModel,
  run: Omit<ModelRun, "id" | "createdAt" | "timeline" | "artifact">,
): ModelRun {
  const at = model.time.now();
  const made: ModelRun = {
    ...run,
    id: model.nextId(),
    createdAt: at,
    timeline: new Timeline(at, { status: "queued", conclusion: null }),
    artifact: null,
  };
  model.runs.set(made.id, made);
  if (run.path === WORKFLOW_PATH) model.hooks.happened({ kind: "dispatch", at, run: made });
  model.hooks.startRun(made);
  return made;
}

export function beginRun(model: GitHubModel, run: ModelRun): void {
  if (run.timeline.now.status === "completed") return;
  run.timeline.set(model.time.now(), { status: "in_progress", conclusion: null });
  emitRun(model, run, "in_progress");
}

export function endRun(model: GitHubModel, run: ModelRun, conclusion: string, artifact: string | null): void {
  if (run.timeline.now.status === "completed") return;
  if (artifact !== null) run.artifact = { text: artifact, at: model.time.now() };
  run.timeline.set(model.time.now(), { status: "completed", conclusion });
  model.hooks.happened({ kind: "run-ended", at: model.time.now(), run, conclusion });
  emitRun(model, run, "completed");
}

function emitRun(model: GitHubModel, run: ModelRun, action: string): void {
  const sender: Actor = run.path === WORKFLOW_PATH ? APP : { login: "alice", id: 1, bot: false };
  model.hooks.emit(
    "workflow_run",
    model.payload(sender, {
      action,
      workflow_run: {
        id: run.id,
        display_title: run.title,
        conclusion: run.timeline.now.conclusion,
        head_sha: run.headSha,
      },
    }),
  );
}
