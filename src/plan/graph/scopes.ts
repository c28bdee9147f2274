import { foldPath } from "../../contracts/safe-path.ts";

/** What overlap needs to know of a chunk. */
export interface ScopedNode {
  readonly id: string;
  readonly files_touched: readonly string[];
}

/**
 * True when two scopes share a file, or a file of one is a folder of the other's, also under a
 * different spelling of case or accents. Two such chunks are never built at the same time.
 */
export function scopesOverlap(a: readonly string[], b: readonly string[]): boolean {
  const files = new Set(a.map(foldPath));
  const folders = new Set(a.flatMap((path) => listFolders(foldPath(path))));
  return b.some((path) => {
    const key = foldPath(path);
    return files.has(key) || folders.has(key) || listFolders(key).some((folder) => files.has(folder));
  });
}

/** Scopes that are held, and by whom; asked for each chunk that wants to start. */
export interface ScopeClaims {
  /** Another holder of a scope that overlaps with this one (as `scopesOverlap` has it), or null. */
  readonly findRival: (id: string, files: readonly string[]) => string | null;
  readonly claim: (id: string, files: readonly string[]) => void;
}

export function createScopeClaims(): ScopeClaims {
  const holdersOfFile = new Map<string, readonly string[]>();
  const holdersOfFolder = new Map<string, readonly string[]>();
  const add = (holders: Map<string, readonly string[]>, path: string, id: string): void => {
    holders.set(path, [...(holders.get(path) ?? []), id]);
  };
  return {
    findRival: (id, files) => {
      for (const { key, folders } of readScope(files)) {
        const rival = findOther(holdersOfFile.get(key), id) ?? findOther(holdersOfFolder.get(key), id);
        if (rival !== undefined) return rival;
        for (const folder of folders) {
          const owner = findOther(holdersOfFile.get(folder), id);
          if (owner !== undefined) return owner;
        }
      }
      return null;
    },
    claim: (id, files) => {
      for (const { key, folders } of readScope(files)) {
        add(holdersOfFile, key, id);
        for (const folder of folders) add(holdersOfFolder, folder, id);
      }
    },
  };
}

function findOther(holders: readonly string[] | undefined, id: string): string | undefined {
  return holders?.find((holder) => holder !== id);
}

interface ScopePath {
  readonly key: string;
  readonly folders: readonly string[];
}

/** Folding a path costs more than all that is done with it, and a plan's lists of files never change. */
const knownScopes = new WeakMap<readonly string[], readonly ScopePath[]>();

function readScope(files: readonly string[]): readonly ScopePath[] {
  const known = knownScopes.get(files);
  if (known !== undefined) return known;
  const scope = files.map((path) => {
    const key = foldPath(path);
    return { key, folders: listFolders(key) };
  });
  knownScopes.set(files, scope);
  return scope;
}

/**
 * The chunks grouped by shared scope: two chunks are in one class when a chain of overlapping
 * scopes joins them. Chunks of different classes never wait for each other's scope. In input order.
 */
export function overlapClasses(chunks: readonly ScopedNode[]): readonly (readonly string[])[] {
  const parent = Int32Array.from(chunks.keys());
  const findRoot = (node: number): number => {
    let root = node;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  const unite = (a: number, b: number): void => {
    const [low, high] = [findRoot(a), findRoot(b)].sort((x, y) => x - y) as [number, number];
    parent[high] = low;
  };
  const ownerOfFile = new Map<string, number>();
  for (const [node, chunk] of chunks.entries()) {
    for (const path of chunk.files_touched) {
      const key = foldPath(path);
      const owner = ownerOfFile.get(key);
      if (owner === undefined) ownerOfFile.set(key, node);
      else unite(owner, node);
    }
  }
  for (const [path, owner] of ownerOfFile) {
    for (const folder of listFolders(path)) {
      const other = ownerOfFile.get(folder);
      if (other !== undefined) unite(other, owner);
    }
  }
  const classes = new Map<number, string[]>();
  for (const [node, chunk] of chunks.entries()) {
    const root = findRoot(node);
    const members = classes.get(root);
    if (members === undefined) classes.set(root, [chunk.id]);
    else members.push(chunk.id);
  }
  return [...classes.values()];
}

/** `a/b/c` -> `a`, `a/b`. */
export function listFolders(path: string): readonly string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    folders.push(path.slice(0, slash));
  }
  return folders;
}
