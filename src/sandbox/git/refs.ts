import type { GitRepository } from "./git-repository.ts";
import type { RefWrite } from "./ref-writer.ts";
import { readGit, runGit } from "./run-git.ts";

export interface Ref {
  /** Full name: `refs/heads/x`. */
  readonly name: string;
  readonly sha: string;
  readonly type: "commit" | "tag" | "tree" | "blob";
}

/** All refs below a prefix, sorted by name; the prefix is matched as text, not by path component. */
export async function listRefs(git: GitRepository, prefix: string): Promise<Ref[]> {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const format = "--format=%(refname) %(objectname) %(objecttype)";
  const text = await readGit(git.dir, ["for-each-ref", format, folder === "" ? "refs/" : folder]);
  return text
    .split("\n")
    .filter((line) => line.startsWith(prefix))
    .map((line) => {
      const [name = "", sha = "", type = ""] = line.split(" ");
      return { name, sha, type: type as Ref["type"] };
    });
}

/** One ref by its full name, or null. */
export async function readRef(git: GitRepository, name: string): Promise<Ref | null> {
  if (!(await isValidRefName(git, name))) return null;
  const object = await git.objects.read(name);
  return object === null ? null : { name, sha: object.sha, type: object.type };
}

/** The commit at a branch's tip, or null. */
export async function readBranch(git: GitRepository, branch: string): Promise<string | null> {
  return (await readRef(git, `refs/heads/${branch}`))?.sha ?? null;
}

/** git's own rules for names: no `..`, `.lock`, `@{`, control characters, trailing dot, … */
export async function isValidRefName(git: GitRepository, name: string): Promise<boolean> {
  if (/^refs\/[A-Za-z0-9][A-Za-z0-9/_-]*$/.test(name) && !/\/\/|\/$/.test(name)) return true;
  return (await runGit(git.dir, ["check-ref-format", name])).code === 0;
}

/**
 * Compare-and-swap: moves `name` from `before` to `after` (null: absent) or reports why git refused,
 * e.g. because `x` and `x/y` cannot coexist.
 */
export function writeRef(
  git: GitRepository,
  name: string,
  before: string | null,
  after: string | null,
): Promise<RefWrite> {
  return git.refs.write(name, before, after);
}
