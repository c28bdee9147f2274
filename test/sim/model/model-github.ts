/** GitHub as an App meets it before it knows a repository: here, the one of the model. */
import type { GitHubPort, RepositoryPort } from "../../../src/github/port.ts";
import { type ModelApp, REPOSITORY, TASKFLEET } from "./identities.ts";

type Redelivery = Pick<GitHubPort, "loadFailedDeliveries" | "redeliver">;

/** Where no webhook is ever missed, or none is ever sent. */
const NONE_FAILED: Redelivery = {
  loadFailedDeliveries: async () => [],
  redeliver: async () => undefined,
};

export function createModelGitHub(
  repository: RepositoryPort,
  app: ModelApp = TASKFLEET,
  redelivery: Redelivery = NONE_FAILED,
): GitHubPort {
  const { login } = app.actor;
  return {
    loadApp: async () => ({ id: app.id, slug: login.replace("[bot]", ""), login }),
    repository: () => repository,
    loadRepositoryRef: async (owner, name) =>
      isSame(owner, REPOSITORY.owner) && isSame(name, REPOSITORY.name) ? REPOSITORY : null,
    loadRepositoryRefs: async () => [REPOSITORY],
    ...redelivery,
    requests: { total: 0, contentCreating: 0 },
  };
}

/** Names of owners and repositories are the same in whatever case they are written. */
function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
