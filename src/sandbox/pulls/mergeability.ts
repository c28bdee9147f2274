import { WEB_FLOW } from "../git/actor-signature.ts";
import { mergeTrees } from "../git/history.ts";
import { readBranch, readRef, writeRef } from "../git/refs.ts";
import { writeCommit } from "../git/commit-object.ts";
import type { Services } from "../services.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";

/**
 * Merges head into the base's tip in memory, records the answer and keeps `refs/pull/N/merge`.
 * Returns the test merge commit, or null on conflict.
 */
export async function computeMergeability(
  services: Services,
  repository: Repository,
  pull: Pull,
): Promise<string | null> {
  const { git } = repository;
  const headSha = pull.headSha;
  const base = await readBranch(git, pull.baseRef);
  if (base === null) return null;
  const merge = await mergeTrees(git, base, headSha);
  // The head moved meanwhile: a newer computation is on its way.
  if (pull.headSha !== headSha) return null;
  if (merge.outcome === "conflict") {
    pull.mergeability = { state: "conflict" };
    return null;
  }
  const at = services.world.now();
  const signature = { ...WEB_FLOW, at };
  const mergeSha = await writeCommit(git, {
    tree: merge.tree,
    parents: [base, headSha],
    author: signature,
    committer: signature,
    message: `Merge ${headSha} into ${base}`,
  });
  const name = `refs/pull/${pull.number}/merge`;
  await writeRef(git, name, (await readRef(git, name))?.sha ?? null, mergeSha);
  pull.mergeability = { state: "clean", mergeSha };
  return mergeSha;
}

/** Forgets what is known and computes it anew in the background, as GitHub does after every change. */
export function scheduleMergeability(services: Services, repository: Repository, pull: Pull): void {
  pull.mergeability = { state: "unknown" };
  services.background.schedule(services.lag.mergeability, async () => {
    await services.faults.untilReleased("mergeability");
    if (pull.mergeability.state === "unknown") await computeMergeability(services, repository, pull);
  });
}

/** Keeps `refs/pull/N/head`, which outlives the branch. */
export async function writePullHead(repository: Repository, pull: Pull): Promise<void> {
  const name = `refs/pull/${pull.number}/head`;
  const before = await readRef(repository.git, name);
  await writeRef(repository.git, name, before?.sha ?? null, pull.headSha);
}
