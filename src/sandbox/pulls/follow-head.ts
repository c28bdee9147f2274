import { readCommit } from "../git/commit-object.ts";
import { isAncestor } from "../git/history.ts";
import { readBranch } from "../git/refs.ts";
import { recordEvent } from "../issues/record-event.ts";
import { skipsWorkflows } from "../refs/skip-instruction.ts";
import { startPullWorkflows } from "../runs/start-pull-workflows.ts";
import { findPullIssue } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { NamedActor } from "../state/actor.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { closePull } from "./close-pull.ts";
import { emitPull } from "./emit-pull.ts";
import { scheduleMergeability, writePullHead } from "./mergeability.ts";

export interface BranchMove {
  readonly before: string | null;
  readonly after: string | null;
}

/** Open pull requests a branch is the head of follow it: new commits, or the end. */
export async function followHead(
  services: Services,
  repository: Repository,
  actor: NamedActor,
  branch: string,
  move: BranchMove,
): Promise<void> {
  const sender = actor.account;
  for (const pull of repository.pulls.values()) {
    if (pull.headRef !== branch || findPullIssue(repository, pull).state !== "open") continue;
    if (move.after === null) {
      // A branch that goes before its merge is registered leaves a closed, unmerged pull request.
      // https://github.com/bors-ng/bors-ng/issues/240
      recordEvent(services, repository, pull.number, {
        actor: sender,
        detail: { event: "head_ref_deleted", ref: branch },
      });
      await closePull(services, repository, pull, sender);
      continue;
    }
    await moveHead(services, repository, actor, pull, move.after);
  }
}

async function moveHead(
  services: Services,
  repository: Repository,
  actor: NamedActor,
  pull: Pull,
  after: string,
): Promise<void> {
  const before = pull.headSha;
  const sender = actor.account;
  const base = await readBranch(repository.git, pull.baseRef);
  pull.headSha = after;
  pull.baseSha = base ?? pull.baseSha;
  findPullIssue(repository, pull).updatedAt = services.world.now();
  await writePullHead(repository, pull);
  if (base !== null && (await isAncestor(repository.git, after, base))) {
    // Nothing is left to merge: GitHub closes it at once.
    // https://github.com/peter-evans/create-pull-request/issues/1310
    await closePull(services, repository, pull, sender);
    return;
  }
  scheduleMergeability(services, repository, pull);
  recordEvent(services, repository, pull.number, {
    actor: sender,
    detail: { event: "pushed", sha: after, ref: pull.headRef },
  });
  await emitPull(services, repository, pull, { action: "synchronize", sender, extra: { before, after } });
  const tip = await readCommit(repository.git, after);
  if (actor.kind !== "run" && tip !== null && !skipsWorkflows(tip.message)) {
    startPullWorkflows(services, repository, sender, pull, "synchronize");
  }
}
