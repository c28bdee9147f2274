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
    async loadBranchRules() {
      return [];
    },
    async loadRequiredChecks() {
      return [];
    },
    async loadSharedFile() {
      return null;
    },
  };
}
