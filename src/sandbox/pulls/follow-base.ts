import { isAncestor } from "../git/history.ts";
import { recordEvent } from "../issues/record-event.ts";
import { findPullIssue } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Account } from "../state/account.ts";
import type { NamedActor } from "../state/actor.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { closePull, markMerged } from "./close-pull.ts";
import { emitPull } from "./emit-pull.ts";
import type { BranchMove } from "./follow-head.ts";
import { scheduleMergeability } from "./mergeability.ts";

/** Open pull requests into a branch follow it: merged once their head is in it, else to be merged anew. */
export async function followBase(
  services: Services,
  repository: Repository,
  actor: NamedActor,
  branch: string,
  move: BranchMove,
): Promise<void> {
  const sender = actor.account;
  for (const pull of repository.pulls.values()) {
    if (pull.baseRef !== branch || findPullIssue(repository, pull).state !== "open") continue;
    if (move.after === null) {
      await leaveDeletedBase(services, repository, sender, pull);
      continue;
    }
    const tip = move.after;
    const head = pull.headSha;
    if (await isAncestor(repository.git, head, tip)) {
      // The ref has moved already; that the pull request is merged shows only later.
      services.background.schedule(services.lag.merged, async () => {
        await services.faults.untilReleased("merged");
        await services.locks.run(repository.id, async () => {
          if (pull.headSha === head) await markMerged(services, repository, pull, { sender, commitSha: tip });
        });
      });
    } else {
      scheduleMergeability(services, repository, pull);
    }
  }
}

/**
 * The branch of a merged pull request may go: what was stacked on it moves to where it was merged to.
 * https://github.blog/changelog/2020-05-19-pull-request-retargeting/ Any other base takes its pull requests along.
 */
async function leaveDeletedBase(
  services: Services,
  repository: Repository,
  sender: Account,
  pull: Pull,
): Promise<void> {
  const merged = [...repository.pulls.values()].findLast((p) => p.headRef === pull.baseRef && p.mergedAt !== null);
  if (merged === undefined) {
    recordEvent(services, repository, pull.number, {
      actor: sender,
      detail: { event: "base_ref_deleted", ref: pull.baseRef },
    });
    await closePull(services, repository, pull, sender);
    return;
  }
  const from = pull.baseRef;
  pull.baseRef = merged.baseRef;
  recordEvent(services, repository, pull.number, {
    actor: sender,
    detail: { event: "base_ref_changed", from, to: pull.baseRef },
  });
  scheduleMergeability(services, repository, pull);
  await emitPull(services, repository, pull, {
    action: "edited",
    sender,
    extra: { changes: { base: { ref: { from }, sha: { from: pull.baseSha } } } },
  });
}
