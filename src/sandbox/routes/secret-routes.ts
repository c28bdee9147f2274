import type { Context } from "hono";
import { type ApiRoutes, NEED, enter } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import { formatTime } from "../view.ts";

/** Names only; nobody reads values back. */
export function addSecretRoutes(routes: ApiRoutes, services: Services): void {
  // https://docs.github.com/en/rest/actions/secrets#list-repository-secrets
  routes.get("/repos/:owner/:repo/actions/secrets", (c) => {
    const repository = enter(services, c, NEED.readSecrets);
    return c.json(list(c, repository, repository.secrets));
  });
  // https://docs.github.com/en/rest/actions/secrets#list-repository-organization-secrets
  routes.get("/repos/:owner/:repo/actions/organization-secrets", (c) => {
    const repository = enter(services, c, NEED.readSecrets);
    return c.json(list(c, repository, repository.sharedSecrets));
  });
}

function list(c: Context, repository: Repository, secrets: ReadonlyMap<string, string>): object {
  const at = formatTime(repository.createdAt);
  const names = [...secrets.keys()].map((name) => ({ name, created_at: at, updated_at: at }));
  return { total_count: names.length, secrets: paginate(c, names) };
}
