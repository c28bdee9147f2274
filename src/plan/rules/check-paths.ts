import { checkSafePath, foldPath } from "../../contracts/safe-path.ts";
import { formatFound, type PathPart, type ProblemList } from "../problem-list.ts";
import type { SoundPlan } from "./sound-plan.ts";

interface FirstSpelling {
  readonly path: string;
  readonly chunk: number;
  readonly position: number;
}

/** Files are safe, named once within a chunk, and spelt alike across chunks. */
export function checkFiles(chunks: SoundPlan["chunks"] & object, problems: ProblemList): void {
  const spellings = new Map<string, FirstSpelling>();
  for (let index = 0; index < chunks.length; index += 1) {
    const files = chunks[index]?.files_touched;
    if (files === undefined) continue;
    const keys: (string | null)[] = [];
    for (let position = 0; position < files.length; position += 1) {
      const path = files[position];
      if (path === undefined || !checkPath(path, ["chunks", index, "files_touched", position], problems)) {
        keys.push(null);
        continue;
      }
      const key = foldPath(path);
      keys.push(key);
      const first = spellings.get(key);
      if (first === undefined) spellings.set(key, { path, chunk: index, position });
      else if (first.path !== path && first.chunk !== index) reportSpelling(path, first, [index, position], problems);
    }
    if (files.length > 1) checkWithinChunk(files, keys, index, problems);
  }
}

function reportSpelling(
  path: string,
  first: FirstSpelling,
  at: readonly [number, number],
  problems: ProblemList,
): void {
  const found = formatFound(path);
  problems.add(["chunks", at[0], "files_touched", at[1]], "path-case", {
    message: `${found} and ${formatFound(first.path)} (chunks[${first.chunk}]) are one file where case or accents are not told apart`,
    found,
    allowed: `the same spelling everywhere, e.g. ${formatFound(first.path)}`,
  });
}

function checkWithinChunk(
  files: readonly (string | undefined)[],
  keys: readonly (string | null)[],
  chunk: number,
  problems: ProblemList,
): void {
  const positionOf = new Map<string, number>();
  for (const [position, key] of keys.entries()) {
    if (key === null) continue;
    const first = positionOf.get(key);
    if (first === undefined) {
      positionOf.set(key, position);
      continue;
    }
    const found = formatFound(files[position]);
    const same = files[first] === files[position];
    problems.add(["chunks", chunk, "files_touched", position], "path-twice", {
      message: same
        ? `${found} is listed twice in one chunk`
        : `${found} is ${formatFound(files[first])} again where case or accents are not told apart`,
      found,
      allowed: "each file once",
    });
  }
  for (const [position, key] of keys.entries()) {
    if (key !== null) reportFolderOf(key, positionOf, files, [chunk, position], problems);
  }
}

/** A file cannot at the same time be a folder that holds another file. */
function reportFolderOf(
  key: string,
  positionOf: ReadonlyMap<string, number>,
  files: readonly (string | undefined)[],
  at: readonly [number, number],
  problems: ProblemList,
): void {
  for (let slash = key.indexOf("/"); slash !== -1; slash = key.indexOf("/", slash + 1)) {
    const folder = positionOf.get(key.slice(0, slash));
    if (folder === undefined) continue;
    const found = formatFound(files[folder]);
    problems.add(["chunks", at[0], "files_touched", folder], "path-folder", {
      message: `${found} is listed as a file, but ${formatFound(files[at[1]])} needs it to be a folder`,
      found,
      allowed: "files only, none of them the folder of another",
    });
  }
}

/** Working directories of checks are safe paths too. */
export function checkFolders(plan: SoundPlan, problems: ProblemList): void {
  for (const [index, item] of (plan.acceptance ?? []).entries()) {
    if (item !== undefined && "cwd" in item && item.cwd !== undefined)
      checkPath(item.cwd, ["acceptance", index, "cwd"], problems);
  }
  for (const [index, chunk] of (plan.chunks ?? []).entries()) {
    for (const [position, check] of (chunk?.checks ?? []).entries()) {
      if (check?.cwd !== undefined) checkPath(check.cwd, ["chunks", index, "checks", position, "cwd"], problems);
    }
  }
}

export function checkPath(path: string, place: readonly PathPart[], problems: ProblemList): boolean {
  const reason = checkSafePath(path);
  if (reason === null) return true;
  const found = formatFound(path);
  problems.add(place, "path-unsafe", {
    message: `the path ${found} ${reason}`,
    found,
    allowed: "a path inside the repository, relative to its root, like src/app.ts",
  });
  return false;
}
