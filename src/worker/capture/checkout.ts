/** The checkout a floor job works on: exactly the commit, and brought back to it between commands. */
import { lchown, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openObjectStore } from "../git/object-store.ts";
import { type GitPlace, IGNORE_DIRT_IN_SUBMODULES, readGit, runGit } from "../git/run-git.ts";

/** The checkout is not what the captures would claim to be of. */
export class CaptureRefused extends Error {
  override readonly name = "CaptureRefused";
}

/** @throws CaptureRefused unless HEAD is the commit and the tree is clean (ignored files may be there). */
export async function assertCheckout(root: string, commit: string): Promise<void> {
  const head = await readGit(["rev-parse", "--verify", "HEAD^{commit}"], { cwd: root });
  if (head !== commit) throw new CaptureRefused(`HEAD is ${head}, not ${commit}`);
  const state = await readState({ cwd: root });
  const [first] = state.keys();
  if (first !== undefined)
    throw new CaptureRefused(`the tree is not clean: ${first} and ${state.size - 1} more differ from the commit`);
}

/**
 * git over the checkout with a git folder of our own: commands of the job may change theirs (or move
 * it away), and filters or hooks configured there would act for us.
 */
export interface Shadow {
  readonly place: GitPlace;
  readonly remove: () => Promise<void>;
}

export async function openShadow(root: string, commit: string): Promise<Shadow> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "taskfleet-git-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const { gitDir } = await openObjectStore(root, path.join(folder, "git"), "repository");
    const place = { cwd: root, gitDir, workTree: root };
    await runGit(["config", "core.bare", "false"], { cwd: folder, gitDir });
    await runGit(["update-ref", "--no-deref", "HEAD", commit], { cwd: folder, gitDir });
    await runGit(["read-tree", commit], place);
    return { place, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Path -> two-letter status, of all files that differ from the commit and are not ignored. */
export async function readState(place: GitPlace): Promise<ReadonlyMap<string, string>> {
  const shape = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", IGNORE_DIRT_IN_SUBMODULES];
  const output = await runGit(["status", ...shape], place);
  const entries = output
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "");
  return new Map(entries.map((entry) => [entry.slice(3), entry.slice(0, 2)]));
}

/** Lets git note the files' present facts, so that it need not read all of them again and again. */
export async function refreshIndex(place: GitPlace): Promise<void> {
  await runGit(["update-index", "-q", "--refresh"], place).catch(() => undefined);
}

/**
 * Undoes what a command did to files of the checkout, so that no command's result hangs on the one
 * before. What setup left (`kept`) stays, and so do ignored files.
 *
 * @param owner the user the commands run as, who must be able to write the files again; null = us.
 */
export async function restoreCheckout(
  place: GitPlace,
  commit: string,
  kept: ReadonlyMap<string, string>,
  owner: number | null,
): Promise<void> {
  const state = await readState(place);
  const tracked: string[] = [];
  for (const [file, status] of state) {
    if (kept.has(file)) continue;
    if (status === "??") await rm(path.join(place.cwd, file), { force: true, recursive: true });
    else tracked.push(file);
  }
  const step = 500;
  for (let at = 0; at < tracked.length; at += step) {
    const paths = tracked.slice(at, at + step);
    await runGit(["restore", `--source=${commit}`, "--staged", "--worktree", "--", ...paths], place);
    if (owner !== null)
      for (const file of paths) await lchown(path.join(place.cwd, file), owner, owner).catch(() => undefined);
  }
}
