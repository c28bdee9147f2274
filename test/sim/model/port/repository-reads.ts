import { formatBlobName } from "../../../../src/contracts/blob-name.ts";
import { describeBlockingRules } from "../../../../src/github/blocking-rules.ts";
import type { RepositoryPort } from "../../../../src/github/port.ts";
import type { GitHubModel } from "../github-model.ts";
import { REPOSITORY, formatUrl } from "../identities.ts";

type RepositoryReads = Pick<
  RepositoryPort,
  "loadRepository" | "loadRole" | "loadBranchRules" | "loadRequiredChecks" | "loadSharedFile"
>;

export function createRepositoryReads(model: GitHubModel): RepositoryReads {
  return {
    async loadRepository() {
      return {
        id: REPOSITORY.id,
        owner: REPOSITORY.owner,
        name: REPOSITORY.name,
        url: formatUrl(),
        defaultBranch: model.defaultBranch,
        archived: false,
        private: false,
      };
    },
    async loadRole(login) {
      return model.roles.get(login.toLowerCase()) ?? "none";
    },
    async loadBranchRules(branch) {
      return model.protectedBranches.has(branch) ? describeBlockingRules([{ type: "pull_request" }]) : [];
    },
    /** No ruleset of this repository demands checks. */
    async loadRequiredChecks() {
      return [];
    },
    async loadSharedFile(repository, path) {
      const text = model.elsewhere.get(`${repository}/${path}`);
      return text === undefined ? null : { sha: formatBlobName(text), text, private: false };
    },
  };
}
