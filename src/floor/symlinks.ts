/** Where a symbolic link leads, judged lexically: the tree is data here, never a file system. */
import { isGitFolder } from "../contracts/safe-path.ts";

/**
 * Why a link may not be in the repository, or null: its target is absolute, leaves the tree, enters `.git`,
 * or goes up again behind a name. Such a name may be a link of the base, which nobody has read, and then `..`
 * is the folder above wherever that one leads (path_resolution(7)), not the one before it in the text; a target
 * that goes up only at its beginning goes through real folders, since no entry of a tree lies below a link.
 * `links` are other links of the same change, since a link may pass through one.
 */
export function checkSymlink(path: string, target: string, links: ReadonlyMap<string, string>): string | null {
  const trail = new Set<string>([path]);
  let todo = [...path.split("/").slice(0, -1), ...splitTarget(target)];
  if (isAbsolute(target)) return "points at an absolute path";
  if (goesUpBehindName(target)) return "goes up again behind a name that may itself be a link";
  let done: string[] = [];
  for (let steps = 0; todo.length > 0; steps += 1) {
    if (steps > 1000) return "leads through too many links";
    const [part = "", ...rest] = todo;
    todo = rest;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (done.length === 0) return "points out of the repository";
      done = done.slice(0, -1);
      continue;
    }
    done.push(part);
    const here = done.join("/");
    const next = links.get(here);
    if (next === undefined) continue;
    if (trail.has(here)) return "leads back to itself";
    if (isAbsolute(next)) return "leads through a link that points at an absolute path";
    trail.add(here);
    done = done.slice(0, -1);
    todo = [...splitTarget(next), ...todo];
  }
  if (done.some(isGitFolder)) return "points into `.git`";
  return null;
}

function goesUpBehindName(target: string): boolean {
  const parts = splitTarget(target).filter((part) => part !== "" && part !== ".");
  const name = parts.findIndex((part) => part !== "..");
  return name !== -1 && parts.includes("..", name);
}

function splitTarget(target: string): readonly string[] {
  return target.split(/[/\\]/u);
}

function isAbsolute(target: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/u.test(target);
}
