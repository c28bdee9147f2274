/** Reads many blobs with one `git cat-file --batch`. */
import { type GitPlace, GitError, runGit } from "./run-git.ts";

/** @returns object name -> bytes. @throws GitError when one is missing. */
export async function loadBlobs(place: GitPlace, names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = [...new Set(names)];
  const blobs = new Map<string, Buffer>();
  if (wanted.length === 0) return blobs;
  const output = await runGit(["cat-file", "--batch"], { ...place, input: `${wanted.join("\n")}\n` });
  let at = 0;
  for (const name of wanted) {
    const end = output.indexOf(0x0a, at);
    const [, kind, size] = output.subarray(at, end).toString("utf8").split(" ");
    if (kind !== "blob") throw new GitError(`${name} is not a blob in the clone`);
    const start = end + 1;
    blobs.set(name, output.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return blobs;
}
