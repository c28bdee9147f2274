import { type GitPlace, runGit } from "./run-git.ts";

/** Every path of a commit (files, links, submodules), sorted by code units. */
export async function listFiles(place: GitPlace, commit: string): Promise<readonly string[]> {
  const output = await runGit(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], place);
  return output.toString("utf8").split("\0").filter(Boolean).sort();
}
