/** The second App, in whose name reviews approve or request changes. */
import type { Octokit } from "../../github/octokit-source.ts";
import { type Finding, ok } from "./finding.ts";

/** https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/approving-a-pull-request-with-required-reviews: only of those who may write. */
const NEEDED = ["contents", "pull_requests"] as const;

/**
 * @param octokit with the second App's own token
 * @param repository null = the App alone
 */
export async function checkReviewer(
  octokit: Octokit,
  appId: number,
  repository: { readonly owner: string; readonly name: string } | null,
): Promise<readonly Finding[]> {
  const { data } = await octokit.request("GET /app");
  if (data === null || data.id !== appId) return [complain("its key is another App's")];
  const granted: Readonly<Record<string, string | undefined>> = data.permissions;
  const lacking = NEEDED.filter((name) => granted[name] !== "write");
  if (lacking.length > 0) return [complain(`it lacks ${lacking.map((name) => `${name}: write`).join(", ")}`)];
  if (repository !== null && !(await isInstalled(octokit, repository)))
    return [complain(`it is not installed on ${repository.owner}/${repository.name}`)];
  return [ok("reviewer", `${data.name} may approve and request changes`)];
}

async function isInstalled(
  octokit: Octokit,
  { owner, name }: { readonly owner: string; readonly name: string },
): Promise<boolean> {
  try {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/installation", { owner, repo: name });
    return data.suspended_at === null || data.suspended_at === undefined;
  } catch (error) {
    if ((error as { readonly status?: number }).status !== 404) throw error;
    return false;
  }
}

export function complain(what: string): Finding {
  return {
    check: "reviewer",
    level: "warning",
    what: `the second App cannot judge: ${what}`,
    why: "Reviews are then comments of the first App, and approve nothing.",
    fix: "Correct TASKFLEET_REVIEWER_*, the second App's permissions, or where it is installed.",
  };
}
