import type { Context } from "hono";
import { type ApiContext, type ApiRoutes, NEED, enter, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { hasPermission } from "../auth/authorize.ts";
import { issueInstallationToken } from "../auth/tokens.ts";
import { HttpProblem, forbidden, integrationDenied, notFound, unprocessable } from "../http-problem.ts";
import { serializeApp, serializeInstallation } from "../serialize/serialize-app.ts";
import { serializeRepository } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { Installation, PermissionLevel, Permissions, RegisteredApp } from "../state/app.ts";
import type { Repository } from "../state/repository.ts";
import { formatTime, type Schema } from "../view.ts";

function requireApp(c: ApiContext): RegisteredApp {
  const actor = c.get("actor");
  if (actor.kind === "app") return actor.app;
  throw new HttpProblem(401, "A JSON web token could not be decoded");
}

function findInstallation(services: Services, app: RegisteredApp, id: number): Installation {
  const installation = services.world.installations.get(id);
  if (installation === undefined || installation.appId !== app.id) throw notFound();
  return installation;
}

function listRepositories(services: Services, installation: Installation): Repository[] {
  return [...services.world.repositories.values()].filter(
    (repository) => repository.owner.id === installation.account?.id,
  );
}

/** The requested permissions, which must not exceed what the installation was granted. */
function narrowPermissions(granted: Permissions, requested: Record<string, unknown> | null): Permissions {
  if (requested === null) return { metadata: "read", ...granted };
  const narrowed: Record<string, PermissionLevel> = { metadata: "read" };
  for (const [name, level] of Object.entries(requested)) {
    if ((level !== "read" && level !== "write") || !hasPermission({ metadata: "read", ...granted }, name, level)) {
      throw unprocessable("The permissions requested are not granted to this installation.");
    }
    narrowed[name] = level;
  }
  return narrowed;
}

/** https://docs.github.com/en/rest/apps/apps and https://docs.github.com/en/rest/apps/installations */
export function addAppRoutes(routes: ApiRoutes, services: Services): void {
  const { world, urls } = services;

  routes.get("/app", (c) => {
    const app = requireApp(c);
    const installed = [...world.installations.values()].filter(({ appId }) => appId === app.id);
    return c.json({ ...serializeApp(urls, app), installations_count: installed.length });
  });

  routes.get("/apps/:slug", (c: Context) => {
    const app = [world.app, ...world.otherApps, world.actionsApp].find(
      (candidate) => candidate.slug === c.req.param("slug"),
    );
    if (app === undefined) throw notFound();
    return c.json(serializeApp(urls, app));
  });

  routes.get("/app/installations", (c) => {
    const app = requireApp(c);
    const installations = [...world.installations.values()].filter(
      ({ account, appId }) => account !== null && appId === app.id,
    );
    return c.json(paginate(c, installations).map((item) => serializeInstallation(services, item)));
  });

  routes.get("/app/installations/:id", (c) => {
    const app = requireApp(c);
    return c.json(serializeInstallation(services, findInstallation(services, app, readNumber(c, "id"))));
  });

  routes.get("/repos/:owner/:repo/installation", (c) => {
    const app = requireApp(c);
    const repository = world.findRepository(c.req.param("owner"), c.req.param("repo"));
    const installation = repository === null ? null : world.findInstallation(repository, app);
    if (installation === null) throw notFound();
    return c.json(serializeInstallation(services, installation));
  });

  routes.post("/app/installations/:id/access_tokens", async (c) => {
    const app = requireApp(c);
    const installation = findInstallation(services, app, readNumber(c, "id"));
    if (installation.suspendedAt !== null) throw forbidden("This installation has been suspended");
    const body = await readBody(c);
    const all = listRepositories(services, installation);
    const names = body.optionalStrings("repositories");
    const ids = (body.raw("repository_ids") as number[] | undefined) ?? null;
    const chosen =
      names === null && ids === null
        ? null
        : all.filter(
            (repository) => names?.includes(repository.name) === true || ids?.includes(repository.id) === true,
          );
    if (chosen !== null && chosen.length !== (names?.length ?? 0) + (ids?.length ?? 0)) {
      throw unprocessable(
        "There is at least one repository that does not exist or is not accessible to the parent installation.",
      );
    }
    const requested = (body.raw("permissions") as Record<string, unknown> | undefined) ?? null;
    const permissions = narrowPermissions(app.permissions, requested);
    const issued = issueInstallationToken(world, app, {
      installationId: installation.id,
      permissions,
      repositoryIds: chosen?.map((repository) => repository.id) ?? null,
    });
    const answer: Schema<"installation-token"> = {
      token: issued.token,
      expires_at: formatTime(issued.expiresAt),
      permissions,
      repository_selection: chosen === null ? "all" : "selected",
      ...(chosen === null ? {} : { repositories: chosen.map((item) => serializeRepository(urls, item)) }),
    };
    return c.json(answer, 201);
  });

  routes.get("/installation/repositories", (c) => {
    const actor = c.get("actor");
    if (actor.kind !== "installation") throw integrationDenied();
    const installation = world.installations.get(actor.installationId);
    if (installation === undefined) throw notFound();
    const all = listRepositories(services, installation);
    const visible = all.filter(({ id }) => actor.repositoryIds === null || actor.repositoryIds.includes(id));
    return c.json({
      total_count: visible.length,
      repository_selection: actor.repositoryIds === null ? "all" : "selected",
      repositories: paginate(c, visible).map((item) => serializeRepository(urls, item)),
    });
  });

  routes.delete("/installation/token", (c) => {
    if (c.get("actor").kind !== "installation") throw integrationDenied();
    const credentials = (c.req.header("authorization") ?? "").split(" ")[1] ?? "";
    const token = world.tokens.get(credentials);
    if (token !== undefined) token.revoked = true;
    return c.body(null, 204);
  });

  routes.get("/repos/:owner/:repo/actions/permissions", (c) => {
    const repository = enter(services, c, NEED.readAdministration);
    return c.json({ enabled: repository.actionsEnabled, allowed_actions: "all", sha_pinning_required: false });
  });
}
