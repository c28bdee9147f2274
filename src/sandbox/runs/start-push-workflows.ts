import { describeOnce } from "./describe-once.ts";
import { triggers } from "../actions/triggers.ts";
import { listChangedPaths } from "../git/list-changed-paths.ts";
import { listTree } from "../git/list-tree.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Repository } from "../state/repository.ts";
import { buildPayload } from "../webhooks/emit-event.ts";
import { createRun } from "./create-run.ts";
import { loadWorkflows } from "./load-workflows.ts";

export interface PushedBranch {
  readonly branch: string;
  readonly sha: string;
  readonly before: string | null;
  /** The push event without the common properties. */
  readonly payload: Readonly<Record<string, unknown>>;
}

async function listPushedPaths(repository: Repository, push: PushedBranch): Promise<string[]> {
  if (push.before !== null) return listChangedPaths(repository.git, push.before, push.sha);
  const entries = (await listTree(repository.git, push.sha, "recursive")) ?? [];
  return entries.filter((entry) => entry.type === "blob").map((entry) => entry.path);
}

/** Starts what the pushed commit's own workflow files want started, in the background. */
export function startPushWorkflows(
  services: Services,
  repository: Repository,
  sender: Account,
  push: PushedBranch,
): void {
  if (!repository.actionsEnabled) return;
  services.background.schedule(0, async () => {
    const files = await loadWorkflows(repository, push.sha);
    if (files.length === 0) return;
    const ref = `refs/heads/${push.branch}`;
    const event = { name: "push" } as const;
    const paths = await listPushedPaths(repository, push);
    for (const file of files) {
      const description = describeOnce(file);
      // A file that cannot be read shows as a run that failed to start, whatever it meant to listen to.
      if (description.errors.length === 0 && !triggers(description, event, ref, paths)) continue;
      await createRun(services, repository, {
        file,
        description,
        event,
        payload: buildPayload(services, repository, { event: "push", action: null, sender, payload: push.payload }),
        ref,
        sha: push.sha,
        headSha: push.sha,
        headBranch: push.branch,
        pullNumbers: [],
        actor: sender,
      });
    }
  });
}
