/** Git as far as the App sees it: blobs, flat trees, commits, ancestry, differences and merges. */
import { hash } from "node:crypto";
import { formatBlobName } from "../../../src/contracts/blob-name.ts";
import type { Sha } from "../../../src/contracts/ids.ts";
import type { ChangedFile, Commit, Comparison, TreeChange, TreeEntry } from "../../../src/github/port.ts";

export interface File {
  readonly mode: TreeEntry["mode"];
  readonly sha: Sha;
}
export type Tree = ReadonlyMap<string, File>;

interface StoredCommit extends Commit {
  readonly at: number;
  /** One more than the largest of its parents. */
  readonly generation: number;
}

const MAX_FILES = 300;

export class GitModel {
  readonly #blobs = new Map<Sha, string>();
  readonly #trees = new Map<Sha, Tree>();
  readonly #commits = new Map<Sha, StoredCommit>();

  putBlob(content: string): Sha {
    const sha = formatBlobName(content);
    this.#blobs.set(sha, content);
    return sha;
  }

  findBlob(sha: Sha): string | undefined {
    return this.#blobs.get(sha);
  }

  putTree(tree: Tree): Sha {
    const text = [...tree]
      .map(([path, { mode, sha }]) => `${path}\0${mode} ${sha}`)
      .sort()
      .join("\n");
    const sha = hash("sha1", `tree\n${text}`) as Sha;
    if (!this.#trees.has(sha)) this.#trees.set(sha, tree);
    return sha;
  }

  findTree(sha: Sha): Tree | undefined {
    return this.#trees.get(sha);
  }

  /** The tree with changes; null when a deleted path or a base is not there. */
  changeTree(base: Sha | null, changes: readonly TreeChange[]): Sha | null {
    const before: Tree | undefined = base === null ? new Map<string, File>() : this.#trees.get(base);
    if (before === undefined) return null;
    const tree = new Map(before);
    for (const change of changes) {
      if ("content" in change) tree.set(change.path, { mode: change.mode, sha: this.putBlob(change.content) });
      else if (change.sha !== null) tree.set(change.path, { mode: change.mode, sha: change.sha });
      else if (!tree.delete(change.path)) return null;
    }
    return this.putTree(tree);
  }

  putCommit(
    commit: { readonly tree: Sha; readonly parents: readonly Sha[]; readonly message: string },
    at: number,
  ): Sha {
    // A commit's date has seconds: the same commit made again in the same second is the same commit.
    const text = `commit\n${commit.tree}\n${commit.parents.join(" ")}\n${Math.floor(at / 1000)}\n${commit.message}`;
    const sha = hash("sha1", text) as Sha;
    if (this.#commits.has(sha)) return sha;
    const generation = Math.max(0, ...commit.parents.map((parent) => this.#commits.get(parent)?.generation ?? 0)) + 1;
    this.#commits.set(sha, { ...commit, sha, at, generation });
    return sha;
  }

  findCommit(sha: Sha): StoredCommit | undefined {
    return this.#commits.get(sha);
  }

  commit(sha: Sha): StoredCommit {
    const commit = this.#commits.get(sha);
    if (commit === undefined) throw new Error(`no commit ${sha}`);
    return commit;
  }

  /** The files of a commit. */
  files(commit: Sha): Tree {
    return this.#trees.get(this.commit(commit).tree) ?? new Map<string, File>();
  }

  readFile(commit: Sha, path: string): string | null {
    const file = this.files(commit).get(path);
    return file === undefined ? null : (this.#blobs.get(file.sha) ?? null);
  }

  isAncestor(ancestor: Sha, descendant: Sha): boolean {
    const floor = this.commit(ancestor).generation;
    const seen = new Set<Sha>();
    const queue = [descendant];
    for (let sha = queue.pop(); sha !== undefined; sha = queue.pop()) {
      if (sha === ancestor) return true;
      if (seen.has(sha)) continue;
      seen.add(sha);
      const { generation, parents } = this.commit(sha);
      if (generation > floor) queue.push(...parents);
    }
    return false;
  }

  /** Everything reachable from a commit, itself included. */
  history(sha: Sha): ReadonlySet<Sha> {
    const seen = new Set<Sha>();
    const queue = [sha];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...this.commit(next).parents);
    }
    return seen;
  }

  mergeBase(a: Sha, b: Sha): Sha | null {
    if (this.isAncestor(a, b)) return a;
    if (this.isAncestor(b, a)) return b;
    const of = this.history(a);
    const common = [...this.history(b)].filter((sha) => of.has(sha));
    common.sort((x, y) => this.commit(y).generation - this.commit(x).generation);
    return common[0] ?? null;
  }

  compare(base: Sha, head: Sha): Comparison {
    const fork = this.mergeBase(base, head);
    if (fork === null)
      return { status: "unrelated", mergeBase: null, aheadBy: 0, behindBy: 0, complete: false, files: [] };
    const files = this.diff(fork, head);
    const mine = this.history(head);
    const other = this.history(base);
    const aheadBy = [...mine].filter((sha) => !other.has(sha)).length;
    const behindBy = [...other].filter((sha) => !mine.has(sha)).length;
    return {
      status: base === head ? "identical" : fork === base ? "ahead" : fork === head ? "behind" : "diverged",
      mergeBase: fork,
      aheadBy,
      behindBy,
      complete: files.length < MAX_FILES,
      files: files.slice(0, MAX_FILES),
    };
  }

  diff(from: Sha, to: Sha): readonly ChangedFile[] {
    const before = this.files(from);
    const after = this.files(to);
    const changed: ChangedFile[] = [];
    for (const [path, file] of after) {
      const old = before.get(path);
      if (old?.sha === file.sha && old.mode === file.mode) continue;
      const status = old === undefined ? "added" : "modified";
      changed.push({ path, previousPath: null, status, patch: this.#patch(old?.sha, file.sha), sha: file.sha });
    }
    for (const [path, file] of before)
      if (!after.has(path))
        changed.push({
          path,
          previousPath: null,
          status: "removed",
          patch: this.#patch(file.sha, undefined),
          sha: file.sha,
        });
    return changed.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The whole file as one hunk: a true difference, if not the smallest. */
  #patch(before: Sha | undefined, after: Sha | undefined): string {
    const old = splitLines(before === undefined ? "" : (this.#blobs.get(before) ?? ""));
    const now = splitLines(after === undefined ? "" : (this.#blobs.get(after) ?? ""));
    const head = `@@ -${old.length === 0 ? 0 : 1},${old.length} +${now.length === 0 ? 0 : 1},${now.length} @@`;
    return [head, ...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)].join("\n");
  }

  /** The merged tree of two commits, or the paths both sides changed differently. */
  merge(into: Sha, from: Sha): { readonly tree: Sha } | { readonly conflicts: readonly string[] } {
    const fork = this.mergeBase(into, from);
    const base: Tree = fork === null ? new Map<string, File>() : this.files(fork);
    const ours = this.files(into);
    const theirs = this.files(from);
    const tree = new Map(ours);
    const conflicts: string[] = [];
    for (const path of new Set([...base.keys(), ...theirs.keys()])) {
      const old = base.get(path);
      const their = theirs.get(path);
      if (isSame(old, their)) continue;
      const our = ours.get(path);
      if (!isSame(old, our) && !isSame(our, their)) conflicts.push(path);
      else if (their === undefined) tree.delete(path);
      else tree.set(path, their);
    }
    return conflicts.length > 0 ? { conflicts } : { tree: this.putTree(tree) };
  }
}

function isSame(a: File | undefined, b: File | undefined): boolean {
  return a?.sha === b?.sha && a?.mode === b?.mode;
}

export function splitLines(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
