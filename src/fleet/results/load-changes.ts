/** The difference between two commits as the gates and the reviewers' verification need it, from their trees. */
import type { Sha } from "../../contracts/ids.ts";
import type { Change } from "../../floor/floor-input.ts";
import type { RepositoryPort, TreeEntry } from "../../github/port.ts";

export interface LoadedChanges {
  readonly changes: readonly Change[];
  /** All paths of the later tree; null when GitHub cut the tree short: no list, no verdict. */
  readonly treePaths: readonly string[] | null;
}

/** Files larger than this are compared by name only. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** As many bytes as git looks at to tell text from binary. */
const SNIFFED_BYTES = 8000;

/** @param evidence the App's own folder, which is left out. */
export async function loadChanges(
  repository: RepositoryPort,
  from: Sha,
  to: Sha,
  evidence: string,
): Promise<LoadedChanges> {
  const before = await loadFiles(repository, from);
  const after = await loadFiles(repository, to);
  if (before === null || after === null) return { changes: [], treePaths: null };
  const changes: Change[] = [];
  for (const [path, entry] of after) {
    const old = before.get(path);
    if (path.startsWith(`${evidence}/`) || (old !== undefined && old.sha === entry.sha && old.mode === entry.mode))
      continue;
    changes.push({
      path,
      previousPath: null,
      kind: old === undefined ? "add" : "modify",
      mode: entry.mode,
      ...(await loadContent(repository, entry, old)),
    });
  }
  for (const [path, entry] of before)
    if (!after.has(path) && !path.startsWith(`${evidence}/`))
      changes.push({ path, previousPath: null, kind: "delete", mode: entry.mode });
  return { changes, treePaths: [...after.keys()] };
}

async function loadContent(
  repository: RepositoryPort,
  entry: TreeEntry,
  old: TreeEntry | undefined,
): Promise<Partial<Change>> {
  if (entry.type !== "blob") return {};
  const bytes = await repository.loadBlob(entry.sha);
  const text = decodeText(bytes);
  if (entry.mode === "120000") return { ...(text === null ? {} : { symlinkTarget: text }), content: "text" };
  const previousText =
    old !== undefined && /(?:^|\/)package\.json$/u.test(entry.path)
      ? decodeText(await repository.loadBlob(old.sha))
      : null;
  return {
    content: bytes.subarray(0, SNIFFED_BYTES).includes(0) ? "binary" : "text",
    ...(text === null ? {} : { text }),
    ...(previousText === null ? {} : { previousText }),
  };
}

function decodeText(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_TEXT_BYTES) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What is no folder, by its path; null where GitHub cuts the list short. */
export async function loadFiles(
  repository: RepositoryPort,
  commit: Sha,
): Promise<ReadonlyMap<string, TreeEntry> | null> {
  const { tree } = await repository.loadCommit(commit);
  const entries = await repository.loadTree(tree);
  return entries === null
    ? null
    : new Map(entries.filter((entry) => entry.type !== "tree").map((entry) => [entry.path, entry]));
}
