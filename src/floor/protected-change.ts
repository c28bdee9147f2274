import type { Change } from "./floor-input.ts";
import { diffValidationKeys } from "./package-json.ts";
import { isNeverAllowed, type ProtectedKind, type ProtectedPathFinder } from "./protected-paths.ts";

export interface ProtectedChange {
  readonly path: string;
  readonly kind: ProtectedKind;
  readonly message: string;
}

/**
 * The protected paths that a change touches without leave; both names of a rename count, so that a
 * protected file cannot be renamed away.
 */
export function judgeProtectedChange(
  change: Pick<Change, "path" | "previousPath" | "kind" | "text" | "previousText">,
  find: ProtectedPathFinder,
  declared: ReadonlySet<string>,
): readonly ProtectedChange[] {
  const paths = change.previousPath === null ? [change.path] : [change.previousPath, change.path];
  return [...new Set(paths)].flatMap((path) => {
    const found = find(path);
    if (found === null) return [];
    if (isNeverAllowed(path))
      return [{ path, kind: found.kind, message: `${path} is protected and no plan can allow to change it.` }];
    if (declared.has(path)) return [];
    if (change.kind === "modify" && change.previousPath === null && /(?:^|\/)package\.json$/u.test(path)) {
      const keys = diffValidationKeys(change.previousText, change.text);
      if (keys !== null && keys.length === 0) return [];
      const what = keys === null ? path : `${keys.join(", ")} in ${path}`;
      return [{ path, kind: found.kind, message: `${what} is protected (${words[found.kind]}) and not declared.` }];
    }
    return [{ path, kind: found.kind, message: `${path} is protected (${words[found.kind]}) and not declared.` }];
  });
}

const words: Readonly<Record<ProtectedKind, string>> = {
  forge: "it steers the forge or CI",
  agent: "agents obey it",
  validation: "it decides what is validated",
  dependency: "it decides what is installed",
  configured: "the configuration says so",
};
