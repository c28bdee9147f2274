import { GitHubFailure } from "../contracts/errors.ts";
import { parseSha, type Sha } from "../contracts/ids.ts";
import { loadPages } from "./load-pages.ts";
import type { RepositoryPort } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";

type Branches = Pick<
  RepositoryPort,
  "loadBranch" | "loadBranches" | "createBranch" | "updateBranch" | "mergeIntoBranch" | "deleteBranch"
>;

export function createBranches(client: RepositoryClient): Branches {
  async function loadBranch(branch: string): Promise<Sha | null> {
    try {
      const answer = await client.find(
        "GET /repos/{owner}/{repo}/git/ref/{ref}",
        { ref: `heads/${branch}` },
        { conditional: true, patience: { for: `branch ${branch}` } },
      );
      return answer === null ? null : parseSha(answer.data.object.sha);
    } catch (error) {
      // 409: the repository is empty, so there is no branch.
      if (error instanceof GitHubFailure && error.details.status === 409) return null;
      throw error;
    }
  }

  return {
    loadBranch,
    async loadBranches(prefix) {
      const pages = await loadPages(client, "GET /repos/{owner}/{repo}/git/matching-refs/{ref}", {
        ref: `heads/${prefix}`,
      });
      return pages.flatMap((page) => page.data.map(({ ref }) => ref.replace(/^refs\/heads\//u, "")));
    },
    async createBranch(branch, sha) {
      client.remember(`branch ${branch}`);
      try {
        await client.send("POST /repos/{owner}/{repo}/git/refs", { ref: `refs/heads/${branch}`, sha });
      } catch (error) {
        // Created by a former try of ours, or by somebody else: its commit tells.
        if (!saysExists(error) || (await loadBranch(branch)) !== sha) throw error;
      }
    },
    async updateBranch(branch, sha) {
      await client.send("PATCH /repos/{owner}/{repo}/git/refs/{ref}", { ref: `heads/${branch}`, sha, force: false });
    },
    async mergeIntoBranch(branch, head, message) {
      try {
        const answer = await client.send("POST /repos/{owner}/{repo}/merges", {
          base: branch,
          head,
          commit_message: message,
        });
        // 204: the branch contains it already (docs.github.com/en/rest/branches/branches#merge-a-branch).
        return answer.status === 201 ? parseSha(answer.data.sha) : null;
      } catch (error) {
        throw explainMerge(error);
      }
    },
    async deleteBranch(branch) {
      try {
        await client.send("DELETE /repos/{owner}/{repo}/git/refs/{ref}", { ref: `heads/${branch}` });
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
  };
}

function saysExists(error: unknown): boolean {
  return error instanceof GitHubFailure && /reference already exists/iu.test(error.message);
}

/**
 * Only a 409 says that two commits do not merge. A 404, "Base does not exist" or "Head does not exist", speaks of a
 * branch or commit that is gone, or so young that not every replica has it: it is looked at again.
 */
function explainMerge(error: unknown): unknown {
  if (!(error instanceof GitHubFailure) || error.kind !== "conflict" || error.details.status === 409) return error;
  return new GitHubFailure("transient", error.message, error.details);
}

/** Deleting what is not there: 422 "Reference does not exist", or 404. */
function isGone(error: unknown): boolean {
  if (!(error instanceof GitHubFailure) || error.kind === "dormant") return false;
  return error.details.status === 404 || /reference does not exist/iu.test(error.message);
}
