import type { GitRepository } from "./git-repository.ts";
import { FOLDER_MODE, type TreeContentEntry, parseTreeContent } from "./tree-content.ts";

async function readEntries(git: GitRepository, tree: string | null): Promise<Map<string, TreeContentEntry>> {
  const object = tree === null ? null : await git.objects.read(`${tree}^{tree}`);
  return object === null ? new Map() : parseTreeContent(object.content);
}

function folderOf(entry: TreeContentEntry | undefined): string | null {
  return entry?.mode === FOLDER_MODE ? entry.sha : null;
}

async function compareFolders(
  git: GitRepository,
  before: string | null,
  after: string | null,
  prefix: string,
): Promise<string[]> {
  if (before === after) return [];
  const [old, now] = await Promise.all([readEntries(git, before), readEntries(git, after)]);
  const paths: string[] = [];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)];
    if (was?.sha === is?.sha && was?.mode === is?.mode) continue;
    const [oldFolder, newFolder] = [folderOf(was), folderOf(is)];
    const fileChanged = (was !== undefined && oldFolder === null) || (is !== undefined && newFolder === null);
    if (fileChanged) paths.push(`${prefix}${name}`);
    if (oldFolder !== null || newFolder !== null) {
      paths.push(...(await compareFolders(git, oldFolder, newFolder, `${prefix}${name}/`)));
    }
  }
  return paths;
}

/** The paths of files that differ between two commits or trees; a rename counts under both names. */
export async function listChangedPaths(git: GitRepository, before: string, after: string): Promise<string[]> {
  return (await compareFolders(git, before, after, "")).toSorted();
}
