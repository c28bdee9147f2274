import { GitHubFailure } from "../../contracts/errors.ts";
import type { Sha } from "../../contracts/ids.ts";
import type { RepositoryPort } from "../../github/port.ts";

/**
 * Makes a branch unless there is one of its name.
 * @returns where it is: `sha`, or what somebody else's or an older one's commit is.
 * @throws GitHubFailure of kind transient when GitHub neither makes nor shows it: to a replica that lags behind, the
 * commit it should be made at does not exist.
 */
export async function makeBranch(
  repository: Pick<RepositoryPort, "createBranch" | "loadBranch">,
  branch: string,
  sha: Sha,
): Promise<Sha> {
  try {
    await repository.createBranch(branch, sha);
    return sha;
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
    const head = await repository.loadBranch(branch);
    if (head === null)
      throw new GitHubFailure("transient", `GitHub does not make the branch ${branch}, and does not show it.`);
    return head;
  }
}
