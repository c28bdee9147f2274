import type { ApiRoutes } from "../http/api-context.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { HttpProblem, integrationDenied, notFound } from "../http-problem.ts";
import { serializeAccount } from "../serialize/serialize-account.ts";
import type { Services } from "../services.ts";

/** https://docs.github.com/en/rest/users/users, https://docs.github.com/en/rest/rate-limit/rate-limit */
export function addUserRoutes(routes: ApiRoutes, services: Services, limits: RateLimits): void {
  routes.get("/user", (c) => {
    const actor = c.get("actor");
    if (actor.kind === "anonymous") throw new HttpProblem(401, "Requires authentication");
    if (actor.kind !== "user") throw integrationDenied();
    return c.json(serializeAccount(services.urls, actor.account));
  });

  routes.get("/users/:username", (c) => {
    const account = services.world.findAccount(c.req.param("username"));
    if (account === null) throw notFound();
    return c.json(serializeAccount(services.urls, account));
  });

  routes.get("/rate_limit", (c) => {
    const core = { ...limits.status(c.get("actor")), resource: "core" };
    return c.json({ resources: { core, graphql: core, search: core }, rate: core });
  });

  routes.get("/meta", (c) => c.json({ installed_version: "3.21.0", verifiable_password_authentication: false }));
  routes.get("/zen", (c) => c.text("Trust nothing, verify everything."));
}
