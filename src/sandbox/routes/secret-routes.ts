import { type ApiRoutes, NEED, enter } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import type { Services } from "../services.ts";
import { formatTime } from "../view.ts";

/** Names only; nobody reads values back. https://docs.github.com/en/rest/actions/secrets#list-repository-secrets */
export function addSecretRoutes(routes: ApiRoutes, services: Services): void {
  routes.get("/repos/:owner/:repo/actions/secrets", (c) => {
    const repository = enter(services, c, NEED.readSecrets);
    const at = formatTime(repository.createdAt);
    const secrets = [...repository.secrets.keys()].map((name) => ({ name, created_at: at, updated_at: at }));
    return c.json({ total_count: secrets.length, secrets: paginate(c, secrets) });
  });
}
