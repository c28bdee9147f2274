import { type Commit, parseCommit } from "./commit-object.ts";
import type { GitRepository } from "./git-repository.ts";
import { walkLine, walkToAncestor } from "./walk-history.ts";
import { GitFailure, readGit, runGit } from "./run-git.ts";

/** True when `ancestor` is `descendant` or one of its ancestors. */
export async function isAncestor(git: GitRepository, ancestor: string, descendant: string): Promise<boolean> {
  if (ancestor === descendant) return true;
  const walked = await walkToAncestor(git, ancestor, descendant);
  if (walked !== "unknown") return walked === "yes";
  const args = ["merge-base", "--is-ancestor", ancestor, descendant];
  const result = await runGit(git.dir, args);
  if (result.code > 1) throw new GitFailure(args, result);
  return result.code === 0;
}

/** The best common ancestor, or null for unrelated histories. */
export async function findMergeBase(git: GitRepository, a: string, b: string): Promise<string | null> {
  if ((await walkToAncestor(git, a, b)) === "yes") return a;
  if ((await walkToAncestor(git, b, a)) === "yes") return b;
  const result = await runGit(git.dir, ["merge-base", a, b]);
  return result.code === 0 ? result.stdout.toString().trim() : null;
}

/** Commits reachable from `head` and not from `base`, oldest first. */
export async function listCommits(git: GitRepository, base: string, head: string): Promise<Commit[]> {
  const line = await walkLine(git, base, head);
  const args = ["rev-list", "--reverse", "--topo-order", head, `^${base}`];
  const shas = line ?? (await readGit(git.dir, args)).split("\n").filter((sha) => sha !== "");
  const objects = await Promise.all(shas.map((sha) => git.objects.read(sha)));
  return objects.flatMap((object) => (object === null ? [] : [parseCommit(object.sha, object.content)]));
}

export async function countCommits(git: GitRepository, base: string, head: string): Promise<number> {
  const line = await walkLine(git, base, head);
  if (line !== null) return line.length;
  return Number((await readGit(git.dir, ["rev-list", "--count", head, `^${base}`])).trim());
}

/** The history of a revision, newest first, a page at a time. */
export async function listHistory(
  git: GitRepository,
  revision: string,
  page: { readonly skip: number; readonly count: number; readonly path: string | null },
): Promise<Commit[]> {
  const args = ["rev-list", `--skip=${page.skip}`, `--max-count=${page.count}`, revision];
  const text = await readGit(git.dir, page.path === null ? args : [...args, "--", page.path]);
  const shas = text.split("\n").filter((sha) => sha !== "");
  const objects = await Promise.all(shas.map((sha) => git.objects.read(sha)));
  return objects.flatMap((object) => (object === null ? [] : [parseCommit(object.sha, object.content)]));
}

export type MergeResult =
  | { readonly outcome: "clean"; readonly tree: string }
  | { readonly outcome: "conflict"; readonly files: readonly string[] };

/** Merges two commits in memory; writes the resulting tree. Unrelated histories conflict. */
export async function mergeTrees(git: GitRepository, ours: string, theirs: string): Promise<MergeResult> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", ours, theirs];
  const result = await runGit(git.dir, args);
  const [tree = "", ...files] = result.stdout.toString().trim().split("\n");
  if (result.code === 0) return { outcome: "clean", tree };
  if (result.code === 1) return { outcome: "conflict", files };
  if (/unrelated histories/.test(result.stderr)) return { outcome: "conflict", files: [] };
  throw new GitFailure(args, result);
}
