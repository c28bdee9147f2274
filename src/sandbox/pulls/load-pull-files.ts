import { type FileDiff, diffTrees } from "../git/diff.ts";
import { findMergeBase } from "../git/history.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";

/** What a pull request changes: from where it left its base to its head (three dots). */
export async function loadPullFiles(repository: Repository, pull: Pull): Promise<FileDiff[]> {
  const base = (await findMergeBase(repository.git, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  return diffTrees(repository.git, base, pull.headSha);
}
