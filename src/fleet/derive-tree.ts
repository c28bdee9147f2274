/**
 * What a tree holds once GitHub has applied our changes to another, without asking for it. Git names a
 * tree by what is in it, so the name GitHub gives the new tree tells whether the derivation is right.
 */
import { createHash } from "node:crypto";
import { formatBlobName } from "../contracts/blob-name.ts";
import type { Sha } from "../contracts/ids.ts";
import type { TreeChange, TreeEntry } from "../github/port.ts";

export interface DerivedTree {
  /** Git's name of the tree in a SHA-1 repository. */
  readonly name: Sha;
  /** Recursive, trees included, in git's order. */
  readonly entries: readonly TreeEntry[];
}

interface Folder {
  readonly children: Map<string, Folder | TreeEntry>;
  /** Absent once something below has changed. */
  name: Sha | undefined;
}

/** @param base the whole base tree, recursive. */
export function deriveTree(base: readonly TreeEntry[], changes: readonly TreeChange[]): DerivedTree {
  const root: Folder = { children: new Map(), name: undefined };
  for (const entry of base) {
    const folder = openFolder(root, entry.path);
    if (entry.type !== "tree") folder.children.set(formatName(entry.path), entry);
    else openFolder(root, `${entry.path}/`).name = entry.sha;
  }
  for (const change of changes) {
    const folder = openFolder(root, change.path);
    forgetNames(root, change.path);
    const name = formatName(change.path);
    if ("sha" in change && change.sha === null) folder.children.delete(name);
    else folder.children.set(name, buildEntry(change));
  }
  const entries: TreeEntry[] = [];
  return { name: nameFolder(root, "", entries), entries };
}

function buildEntry(change: Exclude<TreeChange, { readonly sha: null }>): TreeEntry {
  const sha = "content" in change ? formatBlobName(change.content) : change.sha;
  return { path: change.path, mode: change.mode, type: "blob", sha };
}

/** The folder a path lies in; those on the way are made where they are missing. */
function openFolder(root: Folder, path: string): Folder {
  let folder = root;
  for (const name of path.split("/").slice(0, -1)) {
    const known = folder.children.get(name);
    if (known !== undefined && "children" in known) {
      folder = known;
      continue;
    }
    const made: Folder = { children: new Map(), name: undefined };
    folder.children.set(name, made);
    folder = made;
  }
  return folder;
}

function forgetNames(root: Folder, path: string): void {
  let folder = root;
  folder.name = undefined;
  for (const name of path.split("/").slice(0, -1)) {
    const next = folder.children.get(name);
    if (next === undefined || !("children" in next)) return;
    folder = next;
    folder.name = undefined;
  }
}

/** Names a folder and lists what is in it (git-scm.com/book/en/v2/Git-Internals-Git-Objects). */
function nameFolder(folder: Folder, path: string, entries: TreeEntry[]): Sha {
  const lines: Buffer[] = [];
  for (const { name, child } of sortChildren(folder)) {
    if (!("children" in child)) {
      entries.push(child);
      lines.push(formatLine(child.mode, name, child.sha));
      continue;
    }
    const inside: TreeEntry[] = [];
    const sha = nameFolder(child, `${path}${name}/`, inside);
    // Git keeps no empty folder.
    if (inside.length === 0) continue;
    entries.push({ path: `${path}${name}`, mode: "040000", type: "tree", sha });
    for (const entry of inside) entries.push(entry);
    lines.push(formatLine("40000", name, sha));
  }
  if (folder.name !== undefined) return folder.name;
  const content = Buffer.concat(lines);
  return createHash("sha1").update(`tree ${content.length}\0`).update(content).digest("hex") as Sha;
}

/** By bytes, a folder as if its name ended in a slash. */
function sortChildren(folder: Folder): ReadonlyArray<{ readonly name: string; readonly child: Folder | TreeEntry }> {
  return [...folder.children]
    .map(([name, child]) => ({ name, child, key: Buffer.from("children" in child ? `${name}/` : name, "utf8") }))
    .sort((a, b) => a.key.compare(b.key));
}

function formatLine(mode: string, name: string, sha: Sha): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`, "utf8"), Buffer.from(sha, "hex")]);
}

function formatName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
