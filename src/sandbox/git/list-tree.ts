import type { GitRepository } from "./git-repository.ts";
import { runGit } from "./run-git.ts";

export interface TreeEntry {
  /** Relative to the tree that was asked for. */
  readonly path: string;
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly sha: string;
  /** Bytes; null for anything but a blob. */
  readonly size: number | null;
}

/** How far `listTree` descends. */
export type TreeDepth = "shallow" | "recursive";

/** The entries of a tree-ish in git's order; null when there is no such tree. */
export async function listTree(git: GitRepository, treeish: string, depth: TreeDepth): Promise<TreeEntry[] | null> {
  const flags = depth === "recursive" ? ["-r", "-t"] : [];
  const result = await runGit(git.dir, ["ls-tree", "-z", "-l", ...flags, "--end-of-options", treeish]);
  if (result.code !== 0) return null;
  const rows = result.stdout
    .toString()
    .split("\0")
    .filter((row) => row !== "");
  return rows.map((row) => {
    const tab = row.indexOf("\t");
    const [mode = "", type = "", sha = "", size = "-"] = row.slice(0, tab).split(/ +/);
    return {
      path: row.slice(tab + 1),
      mode,
      type: type as TreeEntry["type"],
      sha,
      size: size === "-" ? null : Number(size),
    };
  });
}
