import type { Octokit } from "@octokit/rest";
import { REPO } from "./sandbox-world.ts";

/** Commits files onto a commit through the API; null removes a file. Returns the new commit's SHA. */
export async function commitFiles(
  octokit: Octokit,
  parent: string,
  files: Readonly<Record<string, string | null>>,
  message = "Change files",
): Promise<string> {
  const tree = Object.entries(files).map(([path, content]) => ({
    path,
    mode: "100644" as const,
    type: "blob" as const,
    ...(content === null ? { sha: null } : { content }),
  }));
  const created = await octokit.rest.git.createTree({ ...REPO, base_tree: parent, tree });
  const commit = await octokit.rest.git.createCommit({ ...REPO, message, tree: created.data.sha, parents: [parent] });
  return commit.data.sha;
}

export async function readTip(octokit: Octokit, branch: string): Promise<string> {
  const { data } = await octokit.rest.git.getRef({ ...REPO, ref: `heads/${branch}` });
  return data.object.sha;
}

/** Makes a branch with one commit on top of `base`; returns its tip. */
export async function createBranch(
  octokit: Octokit,
  branch: string,
  files: Readonly<Record<string, string | null>>,
  base = "main",
  message?: string,
): Promise<string> {
  const sha = await commitFiles(octokit, await readTip(octokit, base), files, message);
  await octokit.rest.git.createRef({ ...REPO, ref: `refs/heads/${branch}`, sha });
  return sha;
}
