import type { GitRepository } from "./git-repository.ts";
import { FOLDER_MODE, type TreeContentEntry, formatTreeContent, parseTreeContent } from "./tree-content.ts";
import { writeObject } from "./write-object.ts";

export interface TreeEdit {
  readonly path: string;
  /** null removes the path: a file, or a folder with all that is in it. */
  readonly entry: { readonly mode: string; readonly sha: string } | null;
}

/** Edits of one folder: what is directly in it, and what lies deeper, by subfolder. */
function groupEdits(edits: readonly TreeEdit[]): Map<string, TreeEdit[]> {
  const groups = new Map<string, TreeEdit[]>();
  for (const edit of edits) {
    const slash = edit.path.indexOf("/");
    const name = slash < 0 ? edit.path : edit.path.slice(0, slash);
    groups.set(name, [...(groups.get(name) ?? []), { ...edit, path: slash < 0 ? "" : edit.path.slice(slash + 1) }]);
  }
  return groups;
}

async function editFolder(git: GitRepository, base: string | null, edits: readonly TreeEdit[]): Promise<string | null> {
  const object = base === null ? null : await git.objects.read(base);
  const entries = object?.type === "tree" ? parseTreeContent(object.content) : new Map<string, TreeContentEntry>();
  for (const [name, group] of groupEdits(edits)) {
    const whole = group.findLast(({ path }) => path === "");
    const inner = group.filter(({ path }) => path !== "");
    if (whole?.entry === null) entries.delete(name);
    else if (whole !== undefined) {
      entries.set(name, { mode: whole.entry.mode.replace(/^0/, ""), sha: whole.entry.sha });
    }
    if (inner.length === 0) continue;
    const below = entries.get(name);
    const sha = await editFolder(git, below?.mode === FOLDER_MODE ? below.sha : null, inner);
    if (sha !== null) entries.set(name, { mode: FOLDER_MODE, sha });
    else if (below?.mode === FOLDER_MODE) entries.delete(name);
  }
  // git knows no empty folders.
  return entries.size === 0 ? null : writeObject(git, "tree", formatTreeContent(entries));
}

/** Applies edits to a base tree (null: the empty one) and returns the new tree's SHA. */
export async function writeTree(git: GitRepository, base: string | null, edits: readonly TreeEdit[]): Promise<string> {
  return (await editFolder(git, base, edits)) ?? writeObject(git, "tree", Buffer.alloc(0));
}
