/** Puts the files of a commit into a folder, and the difference of two commits into a file. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { ObjectStore } from "./object-store.ts";
import { runGit } from "./run-git.ts";

/**
 * `git archive` would leave out what `.gitattributes` marks `export-ignore`; this does not.
 * @param symlinks `text`: a link becomes a plain file that holds its target, so that nothing in the
 * folder leads out of it.
 */
export async function exportTree(
  store: ObjectStore,
  commit: string,
  folder: string,
  symlinks: "text" | "links",
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const place = {
    cwd: folder,
    gitDir: store.gitDir,
    workTree: folder,
    indexFile: path.join(store.gitDir, `index-${commit.slice(0, 12)}`),
  };
  await runGit(["read-tree", commit], place);
  await runGit(["-c", `core.symlinks=${symlinks === "links"}`, "checkout-index", "--all", "--force", "--quiet"], place);
}

/** Every path of a commit, sorted by code units. */
export async function listFiles(store: ObjectStore, commit: string): Promise<readonly string[]> {
  const output = await runGit(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], {
    cwd: store.gitDir,
    gitDir: store.gitDir,
  });
  return output.toString("utf8").split("\0").filter(Boolean).sort();
}

/** Writes `git diff base commit`, complete. */
export async function writeDiff(store: ObjectStore, base: string, commit: string, file: string): Promise<void> {
  const shape = ["--no-color", "--no-ext-diff", "--no-textconv", "--full-index", "--find-renames"];
  await runGit(["diff", ...shape, `--output=${file}`, base, commit], { cwd: store.gitDir, gitDir: store.gitDir });
}

export interface ChangedFile {
  readonly status: "added" | "modified" | "deleted";
  readonly path: string;
}

/** What differs between two commits; a rename is a deletion and an addition. */
export async function listChangedFiles(
  store: ObjectStore,
  base: string,
  commit: string,
): Promise<readonly ChangedFile[]> {
  const output = await runGit(["diff", "--name-status", "--no-renames", "-z", base, commit], {
    cwd: store.gitDir,
    gitDir: store.gitDir,
  });
  const fields = output.toString("utf8").split("\0");
  const files: ChangedFile[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const status = fields[index] === "A" ? "added" : fields[index] === "D" ? "deleted" : "modified";
    files.push({ status, path: fields[index + 1] ?? "" });
  }
  return files;
}
