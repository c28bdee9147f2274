import type { GitRepository } from "./git-repository.ts";
import { writeObject } from "./write-object.ts";

export interface TreeEdit {
  readonly path: string;
  /** null removes the path: a file, or a folder with all that is in it. */
  readonly entry: { readonly mode: string; readonly sha: string } | null;
}

interface Entry {
  readonly mode: string;
  readonly sha: string;
}

const FOLDER_MODE = "40000";

/** https://git-scm.com/book/en/v2/Git-Internals-Git-Objects: `<mode> <name>\0<20 bytes>`, over and over. */
function parseTree(content: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const name = content.toString("utf8", space + 1, end);
    entries.set(name, {
      mode: content.toString("latin1", at, space),
      sha: content.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

/** git sorts folders as if their names ended with a slash. */
function formatTree(entries: ReadonlyMap<string, Entry>): Buffer {
  const rows = [...entries].map(([name, entry]) => ({
    key: Buffer.from(entry.mode === FOLDER_MODE ? `${name}/` : name),
    row: Buffer.concat([Buffer.from(`${entry.mode} ${name}\0`), Buffer.from(entry.sha, "hex")]),
  }));
  return Buffer.concat(rows.toSorted((a, b) => Buffer.compare(a.key, b.key)).map(({ row }) => row));
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
  const entries = object?.type === "tree" ? parseTree(object.content) : new Map<string, Entry>();
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
  return entries.size === 0 ? null : writeObject(git, "tree", formatTree(entries));
}

/** Applies edits to a base tree (null: the empty one) and returns the new tree's SHA. */
export async function writeTree(git: GitRepository, base: string | null, edits: readonly TreeEdit[]): Promise<string> {
  return (await editFolder(git, base, edits)) ?? writeObject(git, "tree", Buffer.alloc(0));
}
