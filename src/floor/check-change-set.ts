/**
 * The merge guard: what is refused before any commit. A file that is merely out of scope passes here
 * and fails gate 6 later, so that people can see it on the branch.
 */
import type { ChangeEntry, ChangeSet } from "../contracts/change-set.ts";
import { checkSafePath } from "../contracts/safe-path.ts";
import { findPathClashes } from "./case-collisions.ts";
import { checkContent, decodeContent } from "./change-set-content.ts";
import { buildProblem, type ChangeSetProblem } from "./change-set-problem.ts";
import type { Change } from "./floor-input.ts";
import { judgeProtectedChange } from "./protected-change.ts";
import { buildProtectedPathFinder, type ProtectedPathFinder } from "./protected-paths.ts";
import { checkSymlink } from "./symlinks.ts";

export interface ChangeSetContext {
  /** All paths of the base commit's tree (files, links, submodules). */
  readonly basePaths: readonly string[];
  /** The commit the attempt was told to work on; null = any. */
  readonly expectedBase: string | null;
  /** `protected:` of the configuration. */
  readonly protectedPatterns: readonly string[];
  /** Protected paths that the plan declares and people approved. */
  readonly protectedAllowed: readonly string[];
  /** Texts of the base by path, needed for every `package.json` in the set; without it the file is protected whole. */
  readonly baseTexts: ReadonlyMap<string, string>;
}

export const CHANGE_SET_LIMITS = {
  entries: 1000,
  /** GitHub refuses files above 100 MB; source is far below. */
  fileBytes: 2 * 1024 * 1024,
  totalBytes: 16 * 1024 * 1024,
} as const;

/** The set and its context, prepared for look-ups. */
interface View {
  readonly changeSet: ChangeSet;
  readonly context: ChangeSetContext;
  readonly base: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
  readonly find: ProtectedPathFinder;
}

/** All problems of a change set; an empty list means that it may be committed. */
export function checkChangeSet(changeSet: ChangeSet, context: ChangeSetContext): readonly ChangeSetProblem[] {
  const view: View = {
    changeSet,
    context,
    base: new Set(context.basePaths),
    declared: new Set(context.protectedAllowed),
    find: buildProtectedPathFinder(context.protectedPatterns),
  };
  return [
    ...checkWhole(changeSet, context),
    ...changeSet.entries.flatMap((entry) => checkEntry(entry, view)),
    ...checkNames(view),
  ];
}

function checkWhole({ base, entries }: ChangeSet, context: ChangeSetContext): readonly ChangeSetProblem[] {
  const problems: ChangeSetProblem[] = [];
  if (context.expectedBase !== null && base !== context.expectedBase)
    problems.push(
      buildProblem("other-base", "", `The change set is against ${base}, not against ${context.expectedBase}.`),
    );
  if (entries.length === 0) problems.push(buildProblem("empty", "", "The change set changes nothing."));
  if (entries.length > CHANGE_SET_LIMITS.entries)
    problems.push(
      buildProblem(
        "too-many",
        "",
        `The change set has ${entries.length} files; at most ${CHANGE_SET_LIMITS.entries} are allowed.`,
      ),
    );
  const total = entries.reduce((sum, entry) => sum + (entry.kind === "write" ? entry.content.length : 0), 0);
  if (total > CHANGE_SET_LIMITS.totalBytes)
    problems.push(
      buildProblem(
        "too-large",
        "",
        `The change set holds ${total} characters; at most ${CHANGE_SET_LIMITS.totalBytes} are allowed.`,
      ),
    );
  return problems;
}

function checkEntry(entry: ChangeEntry, view: View): readonly ChangeSetProblem[] {
  const { path } = entry;
  const unsafe = checkSafePath(path);
  if (unsafe !== null) {
    const rule = unsafe.includes(".git") ? "git-folder" : "unsafe-path";
    return [buildProblem(rule, path, `The path ${JSON.stringify(path.slice(0, 200))} ${unsafe}.`)];
  }
  const guarded = judgeProtectedChange(deriveChange(entry, view), view.find, view.declared);
  const problems = guarded
    // Which lock files a new dependency changes is easily forgotten in a plan: that is shown like any file out of scope.
    .filter(({ kind }) => kind !== "dependency")
    .map(({ message }) => buildProblem("protected-file", path, message));
  if (entry.kind === "delete") return problems;
  if (entry.mode === "160000")
    return [...problems, buildProblem("submodule", path, `${path} is a submodule; submodules are not taken.`)];
  if (entry.mode === "120000") return [...problems, ...checkLink(entry, view.changeSet)];
  return [...problems, ...checkContent(entry, CHANGE_SET_LIMITS)];
}

function deriveChange(entry: ChangeEntry, { base, context }: View): Change {
  const previousText = context.baseTexts.get(entry.path);
  const existed = previousText !== undefined || base.has(entry.path);
  return {
    path: entry.path,
    previousPath: null,
    kind: entry.kind === "delete" ? "delete" : existed ? "modify" : "add",
    mode: entry.kind === "delete" ? "100644" : entry.mode,
    ...(entry.kind === "write" && entry.encoding === "utf-8" ? { text: entry.content } : {}),
    ...(previousText === undefined ? {} : { previousText }),
  };
}

function checkLink(entry: Extract<ChangeEntry, { kind: "write" }>, changeSet: ChangeSet): readonly ChangeSetProblem[] {
  const target = readLink(entry);
  if (target === null || target === "")
    return [buildProblem("bad-encoding", entry.path, `The target of the link ${entry.path} cannot be read.`)];
  const links = new Map(
    changeSet.entries.flatMap((other): ReadonlyArray<[string, string]> => {
      if (other.kind !== "write" || other.mode !== "120000") return [];
      return [[other.path, readLink(other) ?? ""]];
    }),
  );
  const reason = checkSymlink(entry.path, target, links);
  if (reason === null) return [];
  return [buildProblem("symlink-escape", entry.path, `The symbolic link ${entry.path} ${reason}.`)];
}

function readLink(entry: Extract<ChangeEntry, { kind: "write" }>): string | null {
  return decodeContent(entry)?.toString("utf8") ?? null;
}

function checkNames({ changeSet: { entries }, context: { basePaths }, base }: View): readonly ChangeSetProblem[] {
  const problems: ChangeSetProblem[] = [];
  const seen = new Set<string>();
  for (const { path } of entries) {
    if (seen.has(path)) problems.push(buildProblem("duplicate", path, `${path} stands in the change set twice.`));
    seen.add(path);
  }
  for (const entry of entries)
    if (entry.kind === "delete" && !base.has(entry.path) && checkSafePath(entry.path) === null)
      problems.push(buildProblem("missing-base", entry.path, `${entry.path} is deleted and is not in the base.`));
  const deleted = new Set(entries.filter((entry) => entry.kind === "delete").map((entry) => entry.path));
  const written = entries.filter((entry) => entry.kind === "write").map((entry) => entry.path);
  const tree = new Set([...basePaths.filter((path) => !deleted.has(path)), ...written]);
  for (const clash of findPathClashes(written, tree))
    problems.push(
      clash.kind === "case"
        ? buildProblem(
            "case-collision",
            clash.path,
            `${clash.path} and ${clash.other} are one file on a disk that ignores case.`,
          )
        : buildProblem("file-and-folder", clash.path, `${clash.path} is a file and a folder.`),
    );
  return problems;
}
