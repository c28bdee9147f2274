/** Brings a former attempt's difference onto the commit a new attempt works on. */
import path from "node:path";
import { hasCommit, type ObjectStore } from "./object-store.ts";
import { GitError, readGit, runGit } from "./run-git.ts";

export interface Start {
  /** What the former attempt was measured against, and its commit. */
  readonly base: string;
  readonly head: string;
}

export type StartOutcome =
  /** The work tree holds the former change; `tree` is its tree. */
  | { readonly kind: "applied"; readonly tree: string }
  /** The work tree is untouched: the attempt begins from scratch. */
  | { readonly kind: "from-scratch"; readonly why: string };

/** The work tree at `store.root` must be a clean checkout of `commit`. */
export async function applyStart(store: ObjectStore, commit: string, start: Start): Promise<StartOutcome> {
  if (!(await hasCommit(store, start.base)) || !(await hasCommit(store, start.head)))
    return { kind: "from-scratch", why: "the former attempt's commits are not in the clone any more" };
  const place = {
    cwd: store.gitDir,
    gitDir: store.gitDir,
    indexFile: path.join(store.gitDir, "index-start"),
  };
  const shape = ["--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
  const former = await runGit(["diff", ...shape, start.base, start.head], place);
  if (former.length === 0) return { kind: "from-scratch", why: "the former attempt changed nothing" };
  await runGit(["read-tree", commit], place);
  try {
    await runGit(["apply", "--cached", "--3way", "--whitespace=nowarn"], { ...place, input: former });
  } catch (error) {
    if (error instanceof GitError)
      return { kind: "from-scratch", why: "the former attempt no longer applies to the current state" };
    throw error;
  }
  const tree = await readGit(["write-tree"], place);
  const delta = await runGit(["diff", ...shape, commit, tree], place);
  if (delta.length === 0) return { kind: "from-scratch", why: "the former attempt's change is already there" };
  try {
    await runGit(["apply", "--whitespace=nowarn"], { cwd: store.root, input: delta });
  } catch (error) {
    // `git apply` changes all files or none.
    if (error instanceof GitError)
      return { kind: "from-scratch", why: "the former attempt could not be written into the work tree" };
    throw error;
  }
  return { kind: "applied", tree };
}
