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

/** Writes `git diff base commit`: complete, or of the given paths only. */
export async function writeDiff(
  store: ObjectStore,
  base: string,
  commit: string,
  file: string,
  paths: readonly string[] = [],
): Promise<void> {
  const shape = ["--no-color", "--no-ext-diff", "--no-textconv", "--full-index", "--find-renames"];
  const place = { cwd: store.gitDir, gitDir: store.gitDir };
  const only = paths.length === 0 ? [] : ["--", ...paths];
  // A path is itself, whatever characters it has.
  await runGit(["--literal-pathspecs", "diff", ...shape, `--output=${file}`, base, commit, ...only], place);
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

/** What differs between two commits, with the number of changed lines; null for binary files. */
export async function listChangedLines(
  store: ObjectStore,
  base: string,
  commit: string,
): Promise<ReadonlyArray<ChangedFile & { readonly lines: number | null }>> {
  const output = await runGit(
    ["diff", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", "-z", base, commit],
    {
      cwd: store.gitDir,
      gitDir: store.gitDir,
    },
  );
  const counts = new Map(
    output
      .toString("utf8")
      .split("\0")
      .flatMap((entry): ReadonlyArray<readonly [string, number | null]> => {
        const [, added, removed, file] = /^(\d+|-)\t(\d+|-)\t([^]*)$/u.exec(entry) ?? [];
        if (file === undefined) return [];
        return [[file, added === "-" ? null : Number(added) + Number(removed)]];
      }),
  );
  const files = await listChangedFiles(store, base, commit);
  return files.map((file) => ({ ...file, lines: counts.get(file.path) ?? null }));
}
