import { describeOnce } from "./describe-once.ts";
import type { PullRequestActivity } from "../actions/runner-host.ts";
import { triggers } from "../actions/triggers.ts";
import { listChangedPaths } from "../git/list-changed-paths.ts";
import { findMergeBase } from "../git/history.ts";
import { computeMergeability } from "../pulls/mergeability.ts";
import { serializePull } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { buildPayload } from "../webhooks/emit-event.ts";
import { createRun } from "./create-run.ts";
import { loadWorkflows } from "./load-workflows.ts";

/**
 * Starts pull_request workflows in the background. They see the test merge commit, so a pull request in
 * conflict starts none; the run is shown on the head.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#pull_request
 */
export function startPullWorkflows(
  services: Services,
  repository: Repository,
  sender: Account,
  pull: Pull,
  action: PullRequestActivity,
): void {
  if (!repository.actionsEnabled) return;
  const headSha = pull.headSha;
  services.background.schedule(0, async () => {
    await services.faults.untilReleased("mergeability");
    const mergeSha = await computeMergeability(services, repository, pull);
    if (mergeSha === null) return;
    const files = await loadWorkflows(repository, mergeSha);
    if (files.length === 0) return;
    const event = {
      name: "pull_request",
      action,
      number: pull.number,
      baseRef: pull.baseRef,
      headRef: pull.headRef,
    } as const;
    const base = (await findMergeBase(repository.git, pull.baseSha, headSha)) ?? pull.baseSha;
    const paths = await listChangedPaths(repository.git, base, headSha);
    const payload = {
      number: pull.number,
      pull_request: await serializePull(services, repository, pull),
    };
    for (const file of files) {
      const description = describeOnce(file);
      if (!triggers(description, event, `refs/heads/${pull.baseRef}`, paths)) continue;
      await createRun(services, repository, {
        file,
        description,
        event,
        payload: buildPayload(services, repository, { event: "pull_request", action, sender, payload }),
        ref: `refs/pull/${pull.number}/merge`,
        sha: mergeSha,
        headSha,
        headBranch: pull.headRef,
        pullNumbers: [pull.number],
        actor: sender,
      });
    }
  });
}
