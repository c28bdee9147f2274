/** GitHub as an App meets it before it knows a repository: here, the one of the model. */
import type { GitHubPort, RepositoryPort, RepositoryRef } from "../../../src/github/port.ts";
import { GitHubFailure } from "../../../src/contracts/errors.ts";
import type { GitHubModel } from "./github-model.ts";
import { type ModelApp, REPOSITORY, TASKFLEET } from "./identities.ts";

type Redelivery = Pick<GitHubPort, "loadFailedDeliveries" | "redeliver">;

/** Where no webhook is ever missed, or none is ever sent. */
const NONE_FAILED: Redelivery = {
  loadFailedDeliveries: async () => [],
  redeliver: async () => undefined,
};

export function createModelGitHub(
  model: Pick<GitHubModel, "installationId">,
  repository: RepositoryPort,
  app: ModelApp = TASKFLEET,
  redelivery: Redelivery = NONE_FAILED,
): GitHubPort {
  const { login } = app.actor;
  return {
    loadApp: async () => ({ id: app.id, slug: login.replace("[bot]", ""), login }),
    repository: (ref) => answerInstalled(model, repository, ref),
    loadRepositoryRef: async (owner, name) =>
      isSame(owner, REPOSITORY.owner) && isSame(name, REPOSITORY.name) ? findRef(model) : null,
    loadRepositoryRefs: async () => [findRef(model)].filter((ref) => ref !== null),
    ...redelivery,
    requests: { total: 0, contentCreating: 0 },
  };
}

function findRef({ installationId }: Pick<GitHubModel, "installationId">): RepositoryRef | null {
  return installationId === null ? null : { ...REPOSITORY, installationId };
}

/** Whoever asks in the name of an installation that is gone gets no token. */
function answerInstalled(
  model: Pick<GitHubModel, "installationId">,
  repository: RepositoryPort,
  ref: RepositoryRef,
): RepositoryPort {
  const port: Record<string, unknown> = { ...repository, ref };
  for (const [name, call] of Object.entries(repository))
    if (typeof call === "function")
      port[name] = async (...args: unknown[]): Promise<unknown> => {
        if (model.installationId !== ref.installationId)
          throw new GitHubFailure("dormant", "The installation is gone.", { status: 404 });
        return Reflect.apply(call, repository, args);
      };
  return port as unknown as RepositoryPort;
}

/** Names of owners and repositories are the same in whatever case they are written. */
function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
