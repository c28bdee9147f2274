import { foldCase } from "../../contracts/case-folding.ts";
import { formatFound, type PathPart, type ProblemList } from "../problem-list.ts";

/** The same rules hold for chunk ids and for roles: both become parts of branch and file names. */
export interface IdList {
  readonly list: string;
  readonly key: string;
  readonly noun: string;
  readonly maxLength: number;
}

/** Forms the pattern cannot exclude, and ids that are one id on a case-insensitive disk. */
export function checkIds(ids: readonly (string | undefined)[], place: IdList, problems: ProblemList): void {
  const firstOf = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    if (id === undefined) continue;
    const path: readonly PathPart[] = [place.list, index, place.key];
    const reason = checkIdForm(id, place.maxLength);
    if (reason !== null) {
      problems.add(path, "id-form", {
        message: `the ${place.noun} ${formatFound(id)} ${reason}`,
        found: formatFound(id),
        allowed: `at most ${place.maxLength} characters, without "..", not ending in "." or ".lock"`,
      });
    }
    const folded = foldCase(id);
    const first = firstOf.get(folded);
    if (first === undefined) firstOf.set(folded, index);
    else reportTwice(id, ids[first]!, first, path, place, problems);
  }
}

function checkIdForm(id: string, maxLength: number): string | null {
  if (id.length > maxLength) return `has ${id.length} characters, more than ${maxLength}`;
  if (id.includes("..")) return 'contains "..", which no branch name may';
  if (id.endsWith(".")) return "ends with a dot, which no branch name may";
  if (id.endsWith(".lock")) return 'ends with ".lock", which no branch name may';
  return null;
}

function reportTwice(
  id: string,
  other: string,
  first: number,
  path: readonly PathPart[],
  place: IdList,
  problems: ProblemList,
): void {
  const found = formatFound(id);
  const at = `${place.list}[${first}]`;
  if (id === other) {
    problems.add(path, "id-unique", {
      message: `the ${place.noun} ${found} is taken by ${at}`,
      found,
      allowed: "an id of its own",
    });
    return;
  }
  const message = `the ${place.noun} ${found} differs from ${formatFound(other)} (${at}) only in upper and lower case`;
  problems.add(path, "id-case", { message, found, allowed: "an id that also differs when case is ignored" });
}
