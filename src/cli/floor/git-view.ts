/** What a floor needs to know of a local repository's history; nothing is written to it. */
import { lstatSync } from "node:fs";
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { UserError } from "../../contracts/errors.ts";
import type { Change } from "../../floor/floor-input.ts";
import { GitError, readGit, runGit } from "../../worker/git/run-git.ts";

/** @throws UserError when the name is no commit. */
export async function findCommit(root: string, name: string): Promise<string> {
  try {
    return await readGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`], { cwd: root });
  } catch (error) {
    if (error instanceof GitError) throw new UserError(`"${name}" is no commit of this repository`);
    throw error;
  }
}

/** @throws UserError outside of a git repository. */
export async function findRoot(folder: string): Promise<string> {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`${folder} is no folder`);
  try {
    return await readGit(["rev-parse", "--show-toplevel"], { cwd: folder });
  } catch {
    throw new UserError(`${folder} is not in a git repository`);
  }
}

/** Where head left base. @throws UserError when they share no history. */
export async function findMergeBase(root: string, base: string, head: string): Promise<string> {
  try {
    return await readGit(["merge-base", base, head], { cwd: root });
  } catch {
    throw new UserError("the two commits share no history");
  }
}

/** A checkout of one commit in a folder of its own, sharing objects with the repository. */
export async function createCheckout(
  root: string,
  commit: string,
): Promise<{ root: string; remove: () => Promise<void> }> {
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), "taskfleet-floor-")));
  // Commands may run as a user of their own, who has to get through.
  await chmod(parent, 0o711);
  const folder = path.join(parent, "tree");
  const remove = (): Promise<void> => rm(parent, { recursive: true, force: true, maxRetries: 3 });
  try {
    await runGit(["clone", "--quiet", "--shared", "--no-checkout", "--no-tags", "--", root, folder], {
      cwd: parent,
      protocol: "file",
    });
    await runGit(["checkout", "--quiet", "--detach", commit], { cwd: folder });
    return { root: folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const textLimit = 1_000_000;
/** Files whose contents the gates look at. */
const readFor = /(?:^|\/)package\.json$|test|spec/iu;

/** The difference between two commits, as the floor takes it: a rename is a delete and an add. */
export async function listChanges(root: string, base: string, head: string): Promise<readonly Change[]> {
  const output = await runGit(
    ["diff", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-textconv", "--no-ext-diff", base, head],
    { cwd: root },
  );
  const fields = output.toString("utf8").split("\0");
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", mode = "", oldId = "", id = "", status = ""] = (fields[at] ?? "").slice(1).split(" ");
    const file = fields[at + 1] ?? "";
    const kind = status.startsWith("A") ? "add" : status.startsWith("D") ? "delete" : "modify";
    const wanted = readFor.test(file);
    const text = kind !== "delete" && (wanted || mode === "120000") ? await readBlob(root, id, mode) : undefined;
    const previous = kind === "modify" && wanted ? await readBlob(root, oldId, oldMode) : undefined;
    changes.push({
      path: file,
      previousPath: null,
      kind,
      mode: kind === "delete" ? oldMode : mode,
      ...(text === undefined ? {} : mode === "120000" ? { symlinkTarget: text } : { text }),
      ...(previous === undefined ? {} : { previousText: previous }),
    });
  }
  return changes;
}

async function readBlob(root: string, id: string, mode: string): Promise<string | undefined> {
  if (mode === "160000") return undefined;
  const size = Number(await readGit(["cat-file", "-s", id], { cwd: root }));
  return size > textLimit ? undefined : (await runGit(["cat-file", "blob", id], { cwd: root })).toString("utf8");
}

export async function listTree(root: string, commit: string): Promise<readonly string[]> {
  const output = await runGit(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], { cwd: root });
  return output
    .toString("utf8")
    .split("\0")
    .filter((file) => file !== "");
}

/** A file of a commit, or null. */
export async function readFileAt(root: string, commit: string, file: string): Promise<string | null> {
  try {
    return (await runGit(["cat-file", "blob", `${commit}:${file}`], { cwd: root })).toString("utf8");
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
