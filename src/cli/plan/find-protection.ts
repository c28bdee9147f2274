import { buildProtectedPathFinder, isNeverAllowed } from "../../floor/protected-paths.ts";

const findProtected = buildProtectedPathFinder([]);

/** How a path is protected in a repository without a configuration of its own. */
export function findProtection(path: string): "declared" | "never" | null {
  if (isNeverAllowed(path)) return "never";
  return findProtected(path) === null ? null : "declared";
}
