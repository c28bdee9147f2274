/**
 * Puts the missing files on a branch of their own without touching the working tree, the index or any
 * file that is there already.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runGit, tryGit } from "../run-git.ts";
import type { SetupFile } from "./setup-files.ts";

export const SETUP_BRANCH = "taskfleet/setup";

export interface SetupState {
  readonly missing: readonly SetupFile[];
  /** There, and as this version writes it. */
  readonly same: readonly SetupFile[];
  /** There, and different: left alone. */
  readonly different: readonly SetupFile[];
}

/** Compares with a commit's tree. */
export async function readSetup(root: string, commit: string, files: readonly SetupFile[]): Promise<SetupState> {
  const state = { missing: [] as SetupFile[], same: [] as SetupFile[], different: [] as SetupFile[] };
  for (const file of files) {
    const there = await tryGit(root, ["cat-file", "blob", `${commit}:${file.path}`]);
    if (there === null) state.missing.push(file);
    else state[there.trimEnd() === file.text.trimEnd() ? "same" : "different"].push(file);
  }
  return state;
}

/** @returns the new commit. @throws UserError when the branch exists or git refuses. */
export async function commitSetup(
  root: string,
  parent: string,
  files: readonly SetupFile[],
  message: string,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "taskfleet-init-"));
  try {
    const env = { GIT_INDEX_FILE: path.join(folder, "index") };
    await runGit(root, ["read-tree", parent], { env });
    for (const file of files) {
      const blob = await runGit(root, ["hash-object", "-w", "--stdin"], { input: file.text });
      await runGit(root, ["update-index", "--add", "--cacheinfo", `100644,${blob},${file.path}`], { env });
    }
    const tree = await runGit(root, ["write-tree"], { env });
    const commit = await runGit(root, ["commit-tree", tree, "-p", parent, "-F", "-"], { input: message });
    await runGit(root, ["branch", "--no-track", SETUP_BRANCH, commit]);
    return commit;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
