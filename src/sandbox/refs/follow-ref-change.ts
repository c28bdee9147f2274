import { readCommit } from "../git/commit-object.ts";
import { requestSuite } from "../checks/request-suite.ts";
import { followBase } from "../pulls/follow-base.ts";
import { followHead } from "../pulls/follow-head.ts";
import { startPushWorkflows } from "../runs/start-push-workflows.ts";
import type { Services } from "../services.ts";
import type { NamedActor } from "../state/actor.ts";
import type { Repository } from "../state/repository.ts";
import { emitEvent } from "../webhooks/emit-event.ts";
import { buildPushPayload } from "./build-push-payload.ts";
import type { RefChange } from "./change-ref.ts";
import { skipsChecks, skipsWorkflows } from "./skip-instruction.ts";

/**
 * Everything GitHub does once a ref has moved, whoever moved it: push, create and delete events, pull
 * requests whose head or base it is, check suites, workflows. Call it under the repository's lock.
 */
export async function followRefChange(
  services: Services,
  repository: Repository,
  actor: NamedActor,
  change: RefChange,
): Promise<void> {
  repository.pushedAt = services.world.now();
  const branch = change.name.startsWith("refs/heads/") ? change.name.slice("refs/heads/".length) : null;
  const sender = actor.account;
  if (change.before === null || change.after === null) {
    emitEvent(services, repository, {
      event: change.before === null ? "create" : "delete",
      action: null,
      sender,
      payload: {
        ref: change.name.replace(/^refs\/(heads|tags)\//, ""),
        ref_type: branch === null ? "tag" : "branch",
        ...(change.before === null
          ? { master_branch: repository.defaultBranch, description: repository.description }
          : {}),
        pusher_type: "user",
      },
    });
  }
  const payload = await buildPushPayload(services, repository, sender, change);
  emitEvent(services, repository, { event: "push", action: null, sender, payload });
  if (branch === null) return;
  const tip = change.after === null ? null : await readCommit(repository.git, change.after);
  if (tip !== null && !skipsChecks(tip.message)) {
    await requestSuite(services, repository, sender, { branch, sha: tip.sha, before: change.before });
  }
  await followHead(services, repository, actor, branch, change);
  await followBase(services, repository, actor, branch, change);
  // What a job pushes with its GITHUB_TOKEN starts nothing.
  // https://docs.github.com/en/actions/how-tos/write-workflows/choose-when-workflows-run/trigger-a-workflow#triggering-a-workflow-from-a-workflow
  if (tip !== null && actor.kind !== "run" && !skipsWorkflows(tip.message)) {
    startPushWorkflows(services, repository, sender, { branch, sha: tip.sha, before: change.before, payload });
  }
}
