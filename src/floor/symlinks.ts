/** Where a symbolic link leads, judged lexically: the tree is data here, never a file system. */

/**
 * Why a link may not be in the repository, or null: its target is absolute, leaves the tree, or
 * enters `.git`. `links` are other links of the same change, since a link may pass through one.
 */
export function checkSymlink(path: string, target: string, links: ReadonlyMap<string, string>): string | null {
  const trail = new Set<string>([path]);
  let todo = [...path.split("/").slice(0, -1), ...splitTarget(target)];
  if (isAbsolute(target)) return "points at an absolute path";
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
  if (done.some((part) => part.toLowerCase() === ".git")) return "points into `.git`";
  return null;
}

function splitTarget(target: string): readonly string[] {
  return target.split(/[/\\]/u);
}

function isAbsolute(target: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/u.test(target);
}
