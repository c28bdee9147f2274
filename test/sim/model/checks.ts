import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { Actor, CheckOutput } from "../../../src/github/port.ts";
import type { GitHubModel } from "./github-model.ts";
import type { ModelCheck, ModelStatus } from "./things.ts";
import { Timeline } from "./timeline.ts";

/** @param seen the time (ms) up to which whatever judges it has heard of pushes. */
export function createCheck(
  model: GitHubModel,
  appId: number,
  check: CheckOutput | (Omit<CheckOutput, "name" | "conclusion"> & { name: string; conclusion?: string }),
  seen = model.time.now(),
): ModelCheck {
  const commit = model.git.findCommit(check.sha);
  if (commit === undefined || commit.at > seen)
    throw new GitHubFailure("conflict", `GitHub does not know it (yet). GitHub says: No commit found for SHA`, {
      status: 422,
    });
  const at = model.time.now();
  const { annotations: _, ...rest } = check;
  const state = { ...rest, conclusion: check.conclusion ?? null };
  const made: ModelCheck = {
    id: model.nextId(),
    sha: check.sha,
    appId,
    createdAt: at,
    timeline: new Timeline(at, state),
  };
  model.checks.set(made.id, made);
  model.hooks.happened({ kind: "check", at, check: made });
  return made;
}

/** Its webhook is all that ever tells of it. */
export function pressButton(model: GitHubModel, check: ModelCheck, by: Actor, button: string): void {
  const { externalId } = check.timeline.now;
  model.presses.push({ by, at: model.time.now(), button, externalId });
  model.hooks.emit(
    "check_run",
    model.payload(by, {
      action: "requested_action",
      requested_action: { identifier: button },
      check_run: { id: check.id, external_id: externalId },
    }),
  );
}

export function createStatus(model: GitHubModel, by: Actor, status: Omit<ModelStatus, "at">): void {
  model.statuses.push({ ...status, at: model.time.now() });
  const { sha, context, state } = status;
  model.hooks.emit("status", model.payload(by, { sha, context, state }));
}
