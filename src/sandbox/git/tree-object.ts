import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitRepository } from "./git-repository.ts";
import { readGit, runGit } from "./run-git.ts";

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

export interface TreeEdit {
  readonly path: string;
  /** null removes the path (a file, or a folder with all that is in it). */
  readonly entry: { readonly mode: string; readonly sha: string } | null;
}

/** Applies edits to a base tree (null: the empty one) by way of a temporary index; returns the new tree. */
export async function writeTree(git: GitRepository, base: string | null, edits: readonly TreeEdit[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-index-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    await readGit(git.dir, base === null ? ["read-tree", "--empty"] : ["read-tree", base], { env });
    for (const edit of edits) {
      // A subtree replaces whatever stood there; removing a folder removes its files.
      if (edit.entry !== null && edit.entry.mode !== "040000") continue;
      const listed = await readGit(git.dir, ["ls-files", "-z", "--", `:(literal)${edit.path}`], { env });
      const gone = listed.split("\0").filter((path) => path !== "");
      if (gone.length > 0) {
        const input = gone.map((path) => `0 ${"0".repeat(40)}\t${path}\0`).join("");
        await readGit(git.dir, ["update-index", "-z", "--index-info"], { env, input });
      }
      if (edit.entry !== null) await readGit(git.dir, ["read-tree", `--prefix=${edit.path}/`, edit.entry.sha], { env });
    }
    const files = edits.filter((edit) => edit.entry !== null && edit.entry.mode !== "040000");
    const input = files.map((edit) => `${edit.entry?.mode} ${edit.entry?.sha}\t${edit.path}\0`).join("");
    if (input !== "") {
      await readGit(git.dir, ["update-index", "-z", "--add", "--replace", "--index-info"], { env, input });
    }
    return (await readGit(git.dir, ["write-tree"], { env })).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
