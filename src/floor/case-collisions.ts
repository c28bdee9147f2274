import { foldPath } from "../contracts/safe-path.ts";

export interface PathClash {
  readonly path: string;
  readonly other: string;
  readonly kind: "case" | "folder";
}

/**
 * Paths of `touched` that another path of the tree shadows on a case-insensitive disk, or that are a
 * file where another path needs a folder. `tree` is the whole tree after the change.
 */
export function findPathClashes(touched: readonly string[], tree: Iterable<string>): readonly PathClash[] {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  const clashes: PathClash[] = [];
  const interesting = new Set(touched.map(foldPath));
  const interestingFolders = new Set(touched.flatMap((path) => listFolders(foldPath(path))));
  for (const path of tree) {
    const key = foldPath(path);
    if (interesting.has(key) || interestingFolders.has(key)) {
      const known = files.get(key);
      if (known === undefined) files.set(key, path);
      else if (known !== path) clashes.push({ path, other: known, kind: "case" });
    }
    const spelled = listFolders(path);
    listFolders(key).forEach((folder, index) => {
      if (!interesting.has(folder) && !interestingFolders.has(folder)) return;
      const spelling = spelled[index] ?? folder;
      const known = folders.get(folder);
      if (known === undefined) folders.set(folder, spelling);
      else if (known !== spelling) clashes.push({ path: spelling, other: known, kind: "case" });
    });
  }
  for (const [key, path] of files) {
    const folder = folders.get(key);
    if (folder !== undefined) clashes.push({ path, other: folder, kind: "folder" });
  }
  return distinct(clashes);
}

function distinct(clashes: readonly PathClash[]): readonly PathClash[] {
  return [...new Map(clashes.map((clash) => [`${clash.kind}\0${clash.path}\0${clash.other}`, clash])).values()];
}

/** `a/b/c` -> `a`, `a/b`. */
function listFolders(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}
