/** Tests that were moved to another file inside the declared scope are not missing. */
import { listAddedPaths, listChangedPaths, listRemovedPaths } from "./changed-paths.ts";
import type { FloorInput } from "./floor-input.ts";
import { buildTestFileMatcher, deriveTestFile } from "./test-files.ts";
import type { DistinctTest } from "./test-identity.ts";

/** Files between which tests moved are counted together: what one loses the other may have gained. */
export interface FileGroups {
  readonly groupOf: (path: string) => string;
}

export interface MovedTests {
  /** Key of the missing test -> the test that took its place. */
  readonly matches: ReadonlyMap<string, DistinctTest>;
  readonly groups: FileGroups;
  /** Keys of missing tests by the group of files they moved within. */
  readonly groupOfTest: ReadonlyMap<string, string>;
}

/**
 * Pairs each missing test with a new one of the same package, kind and name in another target, where
 * both files are changed files inside the scope. Whether assertions fell on the way is gate 4's.
 */
export function matchMovedTests(
  input: FloorInput,
  missing: readonly DistinctTest[],
  added: readonly DistinctTest[],
): MovedTests {
  const files = listChangedPaths(input.changes);
  const movable = new Set(input.scope === null ? files : files.filter((file) => input.scope?.allowed.includes(file)));
  const candidates = new Map<string, DistinctTest[]>();
  for (const test of added) {
    const name = formatName(test);
    const list = candidates.get(name);
    if (list === undefined) candidates.set(name, [test]);
    else list.push(test);
  }
  const matches = new Map<string, DistinctTest>();
  const groups = new Groups();
  uniteRenamedFiles(input, movable, groups);
  const places = new Map<string, string>();
  for (const test of missing) {
    const from = deriveTestFile(test.case, files);
    if (from === null || !movable.has(from)) continue;
    const list = candidates.get(formatName(test)) ?? [];
    const index = list.findIndex((candidate) => {
      const to = deriveTestFile(candidate.case, files);
      return to !== null && movable.has(to);
    });
    const found = list[index];
    if (found === undefined) continue;
    list.splice(index, 1);
    matches.set(test.key, found);
    groups.unite(from, deriveTestFile(found.case, files) ?? from);
    places.set(test.key, from);
  }
  const groupOf = (path: string): string => groups.find(path);
  return {
    matches,
    groups: { groupOf },
    groupOfTest: new Map([...places].map(([key, path]) => [key, groupOf(path)])),
  };
}

/** Removed and added test files inside the scope: a rename, possibly with edits, whatever git calls it. */
function uniteRenamedFiles(input: FloorInput, movable: ReadonlySet<string>, groups: Groups): void {
  const isTestFile = buildTestFileMatcher(input.config.tests.files);
  const names = [...listRemovedPaths(input.changes), ...listAddedPaths(input.changes)].filter(
    (path) => isTestFile(path) && movable.has(path),
  );
  const [first, ...rest] = names;
  if (first !== undefined) for (const name of rest) groups.unite(first, name);
}

function formatName(test: DistinctTest): string {
  return [test.case.package, test.case.kind, test.case.name].join("\0");
}

/** Disjoint sets of paths. */
class Groups {
  readonly #parent = new Map<string, string>();

  find(path: string): string {
    const parent = this.#parent.get(path);
    if (parent === undefined || parent === path) return path;
    const root = this.find(parent);
    this.#parent.set(path, root);
    return root;
  }

  unite(a: string, b: string): void {
    this.#parent.set(this.find(b), this.find(a));
  }
}
