import { isAncestor } from "../git/history.ts";
import { readBranch } from "../git/refs.ts";
import { validationFailed } from "../http-problem.ts";
import { recordEvent } from "../issues/record-event.ts";
import { startPullWorkflows } from "../runs/start-pull-workflows.ts";
import { findPullIssue } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { emitPull } from "./emit-pull.ts";
import { scheduleMergeability } from "./mergeability.ts";

/** Reopens a closed pull request, or says why GitHub would not. */
export async function reopenPull(
  services: Services,
  repository: Repository,
  pull: Pull,
  sender: Account,
): Promise<void> {
  const issue = findPullIssue(repository, pull);
  const head = await readBranch(repository.git, pull.headRef);
  const custom = { resource: "PullRequest", code: "custom" } as const;
  if (pull.mergedAt !== null) throw validationFailed({ resource: "PullRequest", field: "state", code: "invalid" });
  // https://github.com/pytorch/pytorch/pull/114423
  if (head === null) {
    const message = `state cannot be changed. The ${pull.headRef} branch has been deleted.`;
    throw validationFailed({ ...custom, field: "state", message });
  }
  // A force push while it was closed bars reopening. https://github.com/isaacs/github/issues/361
  if (pull.closedHeadSha !== null && !(await isAncestor(repository.git, pull.closedHeadSha, head))) {
    throw validationFailed({
      ...custom,
      message: `state cannot be changed. The ${pull.headRef} branch was force-pushed or recreated.`,
    });
  }
  const base = await readBranch(repository.git, pull.baseRef);
  if (base === null || (await isAncestor(repository.git, head, base))) {
    throw validationFailed({ ...custom, message: "state cannot be changed. There are no new commits on the branch." });
  }
  issue.state = "open";
  issue.closedAt = null;
  issue.closedBy = null;
  issue.updatedAt = services.world.now();
  pull.headSha = head;
  pull.baseSha = base;
  pull.closedHeadSha = null;
  scheduleMergeability(services, repository, pull);
  recordEvent(services, repository, pull.number, { actor: sender, detail: { event: "reopened" } });
  await emitPull(services, repository, pull, { action: "reopened", sender: sender });
  startPullWorkflows(services, repository, sender, pull, "reopened");
}
