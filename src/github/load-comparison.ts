import { parseSha, type Sha } from "../contracts/ids.ts";
import type { Comparison } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";
import { GitHubFailure } from "../contracts/errors.ts";
import { isUnrelated } from "./classify-refusal.ts";

/**
 * At most this many files, all of them on the first page whatever the page's size
 * (docs.github.com/en/rest/commits/commits#compare-two-commits).
 */
const fileCap = 300;

export async function loadComparison(client: RepositoryClient, base: Sha, head: Sha): Promise<Comparison> {
  const data = await load(client, base, head);
  if (data === "unrelated")
    return { status: "unrelated", mergeBase: null, aheadBy: 0, behindBy: 0, complete: false, files: [] };
  const files = data.files ?? [];
  return {
    status: data.status,
    mergeBase: parseSha(data.merge_base_commit.sha),
    aheadBy: data.ahead_by,
    behindBy: data.behind_by,
    complete: files.length < fileCap,
    files: files.map((file) => ({
      path: file.filename,
      previousPath: file.previous_filename ?? null,
      status: file.status,
      patch: file.patch ?? null,
      sha: file.sha ?? "",
    })),
  };
}

async function load(client: RepositoryClient, base: Sha, head: Sha) {
  try {
    const answer = await client.find(
      "GET /repos/{owner}/{repo}/compare/{basehead}",
      { basehead: `${base}...${head}`, per_page: 1, page: 1 },
      { patience: "always" },
    );
    if (answer !== null) return answer.data;
  } catch (error) {
    if (error instanceof GitHubFailure && isUnrelated(error)) return "unrelated";
    throw error;
  }
  throw new GitHubFailure("conflict", `GitHub cannot compare ${base} with ${head}.`, { status: 404 });
}
