/**
 * A git directory of our own that borrows the checkout's objects. An agent can rewrite the
 * checkout's `.git` (configuration, index, excludes, HEAD); what the worker reads goes through this one.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { readGit, runGit } from "./run-git.ts";

export interface ObjectStore {
  readonly gitDir: string;
  /** The checkout whose objects are borrowed. */
  readonly root: string;
}

/**
 * - repository: `.gitattributes` of the tree apply, as they did at checkout (line ends);
 * - ignored: files come out byte by byte and every text file has a diff, whatever the tree says
 *   (`*.js -diff` would hide a change from its reviewer).
 */
export type Attributes = "repository" | "ignored";

/** Must be opened before an agent starts. */
export async function openObjectStore(root: string, folder: string, attributes: Attributes): Promise<ObjectStore> {
  const objects = await readGit(["rev-parse", "--path-format=absolute", "--git-path", "objects"], { cwd: root });
  const format = await readGit(["rev-parse", "--show-object-format"], { cwd: root });
  await mkdir(folder, { recursive: true });
  await runGit(["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, folder], { cwd: folder });
  await mkdir(path.join(folder, "objects", "info"), { recursive: true });
  await writeFile(path.join(folder, "objects", "info", "alternates"), `${objects}\n`);
  if (attributes === "ignored") {
    await mkdir(path.join(folder, "info"), { recursive: true });
    await writeFile(
      path.join(folder, "info", "attributes"),
      "* -text -eol -ident -filter !working-tree-encoding !diff\n",
    );
  }
  return { gitDir: folder, root };
}

/** The commit the checkout stands on. */
export function loadHead(root: string): Promise<string> {
  return readGit(["rev-parse", "--verify", "HEAD^{commit}"], { cwd: root });
}

/** Whether an object is in the clone. */
export async function hasCommit(store: ObjectStore, commit: string): Promise<boolean> {
  try {
    await runGit(["cat-file", "-e", `${commit}^{commit}`], { cwd: store.gitDir, gitDir: store.gitDir });
    return true;
  } catch {
    return false;
  }
}
