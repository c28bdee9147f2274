import { parseCommit } from "./commit-object.ts";
import type { GitRepository } from "./git-repository.ts";

/** Beyond this many commits git's own walk, with its indexes, is faster than ours. */
const MAX_STEPS = 300;

/** What a short walk has found out; `unknown` when it would have been a long one. */
export type WalkResult = "yes" | "no" | "unknown";

async function readParents(git: GitRepository, sha: string): Promise<readonly string[]> {
  const object = await git.objects.read(sha);
  return object?.type === "commit" ? parseCommit(sha, object.content).parents : [];
}

/** Looks for `ancestor` behind `descendant`, newest generation first, without starting a process. */
export async function walkToAncestor(git: GitRepository, ancestor: string, descendant: string): Promise<WalkResult> {
  const seen = new Set([descendant]);
  let generation = [descendant];
  while (generation.length > 0) {
    if (seen.has(ancestor)) return "yes";
    if (seen.size > MAX_STEPS) return "unknown";
    const parents = (await Promise.all(generation.map((sha) => readParents(git, sha)))).flat();
    generation = [...new Set(parents)].filter((sha) => !seen.has(sha));
    for (const sha of generation) seen.add(sha);
  }
  return "no";
}

/** The commits after `base` up to `head`, oldest first, when they are one short line without merges; else null. */
export async function walkLine(git: GitRepository, base: string, head: string): Promise<string[] | null> {
  const line: string[] = [];
  for (let sha = head; sha !== base;) {
    line.unshift(sha);
    const parents = await readParents(git, sha);
    const [parent] = parents;
    if (parents.length !== 1 || parent === undefined || line.length > MAX_STEPS) return null;
    sha = parent;
  }
  return line;
}
