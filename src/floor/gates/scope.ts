import type { Violation } from "../../contracts/floor-result.ts";
import { checkSafePath } from "../../contracts/safe-path.ts";
import { findPathClashes } from "../case-collisions.ts";
import { listChangedPaths } from "../changed-paths.ts";
import type { Change, FloorInput } from "../floor-input.ts";
import { judgeProtectedChange } from "../protected-change.ts";
import { buildProtectedPathFinder } from "../protected-paths.ts";
import { checkSymlink } from "../symlinks.ts";
import { buildReport, type GateReport } from "./gate-report.ts";

/**
 * Gate 6: the change stays within its declared files (both names of a rename, slack 0), touches
 * nothing protected that the plan does not declare, and brings no submodule, no link out of the tree
 * and no names that collide.
 */
export function judgeScope(input: FloorInput): GateReport {
  const { changes, scope } = input;
  const paths = listChangedPaths(changes);
  const violations = [
    ...listOutOfScope(input, paths),
    ...listProtected(input),
    ...changes.flatMap((change) => judgeEntry(change, changes)),
    ...listClashes(input, paths),
  ];
  const was = scope === null ? "" : `${scope.allowed.length} files declared`;
  return buildReport(6, was, `${paths.length} files changed`, violations);
}

function listOutOfScope({ scope }: FloorInput, paths: readonly string[]): readonly Violation[] {
  if (scope === null) return [];
  const allowed = new Set(scope.allowed);
  return paths
    .filter((path) => !allowed.has(path))
    .map((path) => ({
      gate: 6,
      rule: "out-of-scope",
      message: `${path} is changed and is not among the files of this chunk.`,
      path,
      was: "not declared",
      now: "changed",
      hint: "Undo the change, or have the plan declare the file.",
    }));
}

function listProtected(input: FloorInput): readonly Violation[] {
  const find = buildProtectedPathFinder(input.protectedPatterns);
  const declared = new Set(input.scope?.protectedAllowed ?? []);
  const found = input.changes.flatMap((change) => judgeProtectedChange(change, find, declared));
  // A new dependency is work: only a plan can tell whether it was wanted.
  const judged = input.scope === null ? found.filter(({ kind }) => kind !== "dependency") : found;
  return judged.map(({ message, path }) => ({
    gate: 6,
    rule: "protected-file",
    message,
    path,
    was: "protected",
    now: "changed",
    hint: "Such a file changes only when the plan declares it and people approve the plan.",
  }));
}

function judgeEntry(change: Change, changes: readonly Change[]): readonly Violation[] {
  if (change.kind === "delete") return [];
  const { path, mode } = change;
  const unsafe = checkSafePath(path);
  if (unsafe !== null)
    return [{ gate: 6, rule: "unsafe-path", message: `The path ${JSON.stringify(path)} ${unsafe}.`, path }];
  if (mode === "160000") return [{ gate: 6, rule: "submodule", message: `${path} is a submodule.`, path, now: mode }];
  if (mode !== "120000") return [];
  if (change.symlinkTarget === undefined)
    return [
      { gate: 6, rule: "symlink-unknown", message: `${path} is a symbolic link whose target is not known.`, path },
    ];
  const reason = checkSymlink(path, change.symlinkTarget, indexLinks(changes));
  if (reason === null) return [];
  return [
    {
      gate: 6,
      rule: "symlink-escape",
      message: `The symbolic link ${path} ${reason}.`,
      path,
      now: change.symlinkTarget.slice(0, 200),
    },
  ];
}

function indexLinks(changes: readonly Change[]): ReadonlyMap<string, string> {
  return new Map(
    changes.flatMap(({ path, kind, symlinkTarget }): ReadonlyArray<[string, string]> =>
      kind !== "delete" && symlinkTarget !== undefined ? [[path, symlinkTarget]] : [],
    ),
  );
}

function listClashes({ treePaths, changes }: FloorInput, paths: readonly string[]): readonly Violation[] {
  const present = changes.filter((change) => change.kind !== "delete").map((change) => change.path);
  return findPathClashes(present, treePaths ?? paths.filter((path) => present.includes(path))).map((clash) => ({
    gate: 6,
    rule: clash.kind === "case" ? "case-collision" : "file-and-folder",
    message:
      clash.kind === "case"
        ? `${clash.path} and ${clash.other} are one file on a disk that ignores case.`
        : `${clash.path} is a file and a folder.`,
    path: clash.path,
  }));
}
