import type { Change } from "./floor-input.ts";

/** Every path a change set touches: a rename touches both of its names. */
export function listChangedPaths(changes: readonly Change[]): readonly string[] {
  const paths = new Set<string>();
  for (const change of changes) {
    if (change.previousPath !== null) paths.add(change.previousPath);
    paths.add(change.path);
  }
  return [...paths];
}

/** Paths that are gone after the change. */
export function listRemovedPaths(changes: readonly Change[]): readonly string[] {
  const kept = new Set(changes.filter((change) => change.kind !== "delete").map((change) => change.path));
  const removed = changes.flatMap((change) => {
    if (change.kind === "delete") return [change.path];
    return change.previousPath !== null && change.previousPath !== change.path ? [change.previousPath] : [];
  });
  return [...new Set(removed)].filter((path) => !kept.has(path));
}

/** Paths that exist only after the change. */
export function listAddedPaths(changes: readonly Change[]): readonly string[] {
  return changes
    .filter((change) => change.kind === "add" || (change.previousPath !== null && change.previousPath !== change.path))
    .map((change) => change.path);
}
