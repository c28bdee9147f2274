/** Reads what an agent changed in the work tree, as a change set against the commit it started from. */
import { lstat } from "node:fs/promises";
import path from "node:path";
import { type ChangeEntry, type ChangeSet, FILE_MODES } from "../../contracts/change-set.ts";
import type { ObjectStore } from "./object-store.ts";
import { loadBlobs } from "./load-blobs.ts";
import { GitError, IGNORE_DIRT_IN_SUBMODULES, readGit, runGit } from "./run-git.ts";

export type Collected =
  /** `tree` is the tree the change set results in, without nested repositories. */
  | { readonly kind: "collected"; readonly changeSet: ChangeSet; readonly tree: string }
  /** What is there cannot be carried as a change set. */
  | { readonly kind: "refused"; readonly why: string };

/** What a result may hold (RESULT_MAX_BYTES) with room for base64 and JSON. */
const maxBytes = 20 * 1024 * 1024;
const maxEntries = 3000;

/**
 * Renames come out as a deletion and a file, ignored files are left out, nested repositories come
 * out as submodules (mode 160000, content = their commit), so that the merge guard refuses them by name.
 */
export async function collectChangeSet(store: ObjectStore, commit: string): Promise<Collected> {
  const place = {
    cwd: store.root,
    gitDir: store.gitDir,
    workTree: store.root,
    indexFile: path.join(store.gitDir, "index-work"),
  };
  await runGit(["update-ref", "--no-deref", "HEAD", commit], place);
  await runGit(["read-tree", commit], place);
  const touched = await listTouched(place);
  if (touched === null) return { kind: "refused", why: "a file name is not valid UTF-8" };
  if (touched.length > maxEntries)
    return { kind: "refused", why: `${touched.length} files are changed; at most ${maxEntries} can be carried` };
  const size = await measure(
    store.root,
    touched.filter((file) => !file.endsWith("/")),
  );
  if (size > maxBytes)
    return { kind: "refused", why: `the changed files hold ${size} bytes; at most ${maxBytes} can be carried` };

  const files = touched.filter((file) => !file.endsWith("/"));
  if (files.length > 0) {
    const list = ["add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"];
    try {
      await runGit(list, { ...place, input: files.join("\0") });
    } catch (error) {
      if (error instanceof GitError)
        return { kind: "refused", why: `the changed files cannot be read: ${error.message}` };
      throw error;
    }
  }
  const tree = await readGit(["write-tree"], place);
  const entries = await loadEntries(place, commit);
  for (const nested of touched.filter((file) => file.endsWith("/")))
    entries.push(await describeNested(store.root, nested.slice(0, -1)));
  entries.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
  return { kind: "collected", changeSet: { v: 1, base: commit, entries }, tree };
}

interface Place {
  readonly cwd: string;
  readonly gitDir: string;
  readonly workTree: string;
  readonly indexFile: string;
}

/** Paths that differ from the index; a nested repository ends with `/`. null when a name is not UTF-8. */
async function listTouched(place: Place): Promise<readonly string[] | null> {
  const shape = ["--porcelain=v1", "-z", "--untracked-files=all", "--ignored=no", "--no-renames"];
  const output = await runGit(["status", ...shape, IGNORE_DIRT_IN_SUBMODULES], place);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(output);
  } catch {
    return null;
  }
  const seen = new Set<string>();
  for (const line of text.split("\0")) {
    // Two letters of state, a blank, the path.
    if (line.length > 3) seen.add(line.slice(3));
  }
  return [...seen];
}

async function measure(root: string, files: readonly string[]): Promise<number> {
  let sum = 0;
  for (const file of files) {
    try {
      sum += (await lstat(path.join(root, file))).size;
    } catch {
      // deleted
    }
  }
  return sum;
}

async function loadEntries(place: Place, commit: string): Promise<ChangeEntry[]> {
  const raw = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none"];
  const fields = (await runGit([...raw, commit], place)).toString("utf8").split("\0");
  const written: Array<{ path: string; mode: string; sha: string }> = [];
  const entries: ChangeEntry[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode = "", , sha = "", state = ""] = (fields[index] ?? "").split(" ");
    const file = fields[index + 1] ?? "";
    if (state === "D") entries.push({ kind: "delete", path: file });
    else if (mode === "160000") entries.push({ kind: "write", path: file, mode, encoding: "utf-8", content: sha });
    else written.push({ path: file, mode, sha });
  }
  const blobs = await loadBlobs(
    place,
    written.map((file) => file.sha),
  );
  for (const file of written) {
    const mode = FILE_MODES.find((known) => known === file.mode) ?? "100644";
    entries.push({ kind: "write", path: file.path, mode, ...formatContent(blobs.get(file.sha) ?? Buffer.alloc(0)) });
  }
  return entries;
}

/** Text as text, anything that is not valid UTF-8 as base64. */
function formatContent(bytes: Buffer): { encoding: "utf-8" | "base64"; content: string } {
  try {
    return { encoding: "utf-8", content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { encoding: "base64", content: bytes.toString("base64") };
  }
}

async function describeNested(root: string, folder: string): Promise<ChangeEntry> {
  let content = "0".repeat(40);
  try {
    content = await readGit(["rev-parse", "--verify", "HEAD"], { cwd: path.join(root, folder) });
  } catch {
    // A repository without a commit is still a nested repository.
  }
  return { kind: "write", path: folder, mode: "160000", encoding: "utf-8", content };
}
