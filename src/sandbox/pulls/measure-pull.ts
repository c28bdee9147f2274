import { diffTrees } from "../git/diff.ts";
import type { GitRepository } from "../git/git-repository.ts";
import { countCommits, findMergeBase } from "../git/history.ts";

export interface PullSize {
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changed_files: number;
}

/** Two commits never differ in another way; every webhook of a pull request asks. */
const known = new WeakMap<GitRepository, Map<string, PullSize>>();

/** How big the way from a base to a head is. */
export async function measurePull(git: GitRepository, baseSha: string, headSha: string): Promise<PullSize> {
  const sizes = known.get(git) ?? new Map<string, PullSize>();
  known.set(git, sizes);
  const key = `${baseSha}...${headSha}`;
  const found = sizes.get(key);
  if (found !== undefined) return found;
  const base = (await findMergeBase(git, baseSha, headSha)) ?? baseSha;
  const [files, commits] = await Promise.all([diffTrees(git, base, headSha), countCommits(git, baseSha, headSha)]);
  const size = {
    commits,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
  sizes.set(key, size);
  return size;
}
