import { HttpProblem, forbidden, integrationDenied, notFound } from "../http-problem.ts";
import { type Role, roleIncludes } from "../state/account.ts";
import type { Actor } from "../state/actor.ts";
import type { PermissionLevel, Permissions } from "../state/app.ts";
import type { Repository } from "../state/repository.ts";
import type { World } from "../state/world.ts";

/**
 * What a route asks for: Apps and jobs need one of the permissions (pull requests can be commented on
 * with `issues` or `pull_requests`), people need a role.
 * https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps
 */
export interface Need {
  readonly permissions: readonly string[];
  readonly level: PermissionLevel;
  /** null: not for people at all. */
  readonly role: Role | null;
}

/** True when the actor may know that the repository exists. */
export function canSee(world: World, actor: Actor, repository: Repository): boolean {
  switch (actor.kind) {
    case "app":
      return false;
    case "anonymous":
      return !repository.private;
    case "user":
      return world.roleOf(repository, actor.account) !== null;
    case "run":
      return actor.repositoryId === repository.id || !repository.private;
    case "installation":
      return coversRepository(world, actor, repository) || !repository.private;
  }
}

function coversRepository(
  world: World,
  actor: Extract<Actor, { kind: "installation" }>,
  repository: Repository,
): boolean {
  const installation = world.installations.get(actor.installationId);
  const listed = actor.repositoryIds === null || actor.repositoryIds.includes(repository.id);
  return listed && installation?.account?.id === repository.owner.id;
}

/** The permissions the actor's token has on this repository; public repositories can always be read. */
function derivePermissions(
  world: World,
  actor: Extract<Actor, { kind: "installation" | "run" }>,
  repository: Repository,
): Permissions | "public" {
  const own = actor.kind === "run" ? actor.repositoryId === repository.id : coversRepository(world, actor, repository);
  return own ? actor.permissions : "public";
}

export function hasPermission(permissions: Permissions, name: string, level: PermissionLevel): boolean {
  const held = permissions[name];
  return held === "write" || (held === "read" && level === "read");
}

/** True when the actor's token allows what is needed; does not look at visibility. */
export function allows(world: World, actor: Actor, repository: Repository, need: Need): boolean {
  switch (actor.kind) {
    case "app":
      return false;
    case "anonymous":
      return need.level === "read" && need.role === "read" && !repository.private;
    case "user":
      return need.role !== null && roleIncludes(world.roleOf(repository, actor.account), need.role);
    case "run":
    case "installation": {
      const permissions = derivePermissions(world, actor, repository);
      if (permissions === "public") return need.level === "read" && need.role === "read" && !repository.private;
      return need.permissions.some((name) => name === "metadata" || hasPermission(permissions, name, need.level));
    }
  }
}

/** Throws GitHub's refusal unless the actor may do it. */
export function authorize(world: World, actor: Actor, repository: Repository, need: Need): void {
  if (!canSee(world, actor, repository)) throw actor.kind === "app" ? integrationDenied() : notFound();
  if (need.level === "write" && actor.kind === "anonymous") throw new HttpProblem(401, "Requires authentication");
  if (!allows(world, actor, repository, need)) {
    if (actor.kind === "user") {
      if (need.role === null) throw forbidden("You must authenticate via a GitHub App.");
      throw forbidden(
        need.role === "admin" ? "Must have admin rights to Repository." : "Must have push access to repository",
      );
    }
    throw actor.kind === "anonymous" ? notFound() : integrationDenied();
  }
  if (need.level === "write" && repository.archived) {
    throw forbidden("Repository was archived so is read-only.");
  }
}

/** The App a change is attributed to as `performed_via_github_app`. */
export function deriveAppId(world: World, actor: Actor): number | null {
  if (actor.kind === "installation") return world.installations.get(actor.installationId)?.appId ?? world.app.id;
  return actor.kind === "run" ? world.actionsApp.id : null;
}
