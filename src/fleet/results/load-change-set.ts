/** What is between two commits, as a change set: so that what people push passes the very guard agents' results do. */
import { loadFiles } from "./load-changes.ts";
import type { ChangeEntry, ChangeSet } from "../../contracts/change-set.ts";
import type { Sha } from "../../contracts/ids.ts";
import { CHANGE_SET_LIMITS } from "../../floor/check-change-set.ts";
import type { RepositoryPort } from "../../github/port.ts";

export interface LoadedChangeSet {
  readonly changeSet: ChangeSet;
  /** Every path of the earlier commit (files, links, submodules) with its object. */
  readonly base: ReadonlyMap<string, Sha>;
}

/**
 * @returns null when GitHub cut a tree short: no list, no judgement. Beyond what the guard lets pass in number or size
 *   contents are left out, since it refuses the whole.
 */
export async function loadChangeSet(repository: RepositoryPort, from: Sha, to: Sha): Promise<LoadedChangeSet | null> {
  const before = await loadFiles(repository, from);
  const after = await loadFiles(repository, to);
  if (before === null || after === null) return null;
  const written = [...after.values()].filter((entry) => {
    const old = before.get(entry.path);
    return old === undefined || old.sha !== entry.sha || old.mode !== entry.mode;
  });
  const entries: ChangeEntry[] = [];
  let room = written.length > CHANGE_SET_LIMITS.entries ? -1 : CHANGE_SET_LIMITS.totalBytes;
  for (const { path, mode, type, sha } of written) {
    // A folder is no file, and of a submodule there is no content here.
    if (mode === "040000") continue;
    const bytes = type === "blob" && room >= 0 ? await repository.loadBlob(sha) : new Uint8Array();
    const content = encodeContent(bytes);
    room -= content.content.length;
    entries.push({ kind: "write", path, mode, ...content });
  }
  for (const path of before.keys()) if (!after.has(path)) entries.push({ kind: "delete", path });
  const base = new Map([...before].map(([path, entry]) => [path, entry.sha]));
  return { changeSet: { v: 1, base: from, entries }, base };
}

function encodeContent(bytes: Uint8Array): { readonly encoding: "utf-8" | "base64"; readonly content: string } {
  try {
    return { encoding: "utf-8", content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { encoding: "base64", content: Buffer.from(bytes).toString("base64") };
  }
}
