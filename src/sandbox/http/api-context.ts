import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { type Need, authorize, canSee } from "../auth/authorize.ts";
import { HttpProblem, notFound } from "../http-problem.ts";
import type { Services } from "../services.ts";
import type { Actor, NamedActor } from "../state/actor.ts";
import type { Repository } from "../state/repository.ts";

export interface ApiEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly actor: Actor };
}

export type ApiContext = Context<ApiEnv>;
export type ApiRoutes = Hono<ApiEnv>;

/** A path parameter, decoded. */
export function readParam(c: ApiContext, name: string): string {
  const value = c.req.param(name as never) as string | undefined;
  if (value === undefined || value === "") throw notFound();
  return value;
}

/** A numeric path parameter; anything else does not exist. */
export function readNumber(c: ApiContext, name: string): number {
  const text = readParam(c, name);
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

/** Looks the repository up and checks that the caller may do what the route does. */
export function enter(services: Services, c: ApiContext, need: Need): Repository {
  const [owner, name] = [readParam(c, "owner"), readParam(c, "repo")];
  const repository = services.world.findRepository(owner, name);
  const renamed = repository === null ? services.world.findRenamed(owner, name) : null;
  if (renamed !== null && canSee(services.world, c.get("actor"), renamed)) throw movedTo(services, c, renamed);
  if (repository === null) throw notFound();
  authorize(services.world, c.get("actor"), repository, need);
  return repository;
}

/**
 * A renamed repository answers with its address by id: 301 for reads, 307 for writes.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
function movedTo(services: Services, c: ApiContext, repository: Repository): HttpProblem {
  const url = new URL(c.req.url);
  const rest = url.pathname.split("/repos/")[1]?.split("/").slice(2).join("/") ?? "";
  const location = `${services.urls.api}/repositories/${repository.id}${rest === "" ? "" : `/${rest}`}${url.search}`;
  const status = c.req.method === "GET" || c.req.method === "HEAD" ? 301 : 307;
  const message = status === 301 ? "Moved Permanently" : "Temporary Redirect";
  return new HttpProblem(status, message, undefined, { location });
}

/** The caller, who must have a name: anonymous callers and App JWTs leave no traces. */
export function readActor(c: ApiContext): NamedActor {
  const actor = c.get("actor");
  if (actor.kind === "anonymous") throw new HttpProblem(401, "Requires authentication");
  if (actor.kind === "app") throw new HttpProblem(403, "Resource not accessible by integration");
  return actor;
}

const read = (permission: string): Need => ({ permissions: [permission], level: "read", role: "read" });
const write = (role: Need["role"], ...permissions: readonly string[]): Need => ({ permissions, level: "write", role });

/** https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
export const NEED = {
  readMetadata: read("metadata"),
  readContents: read("contents"),
  readIssues: { permissions: ["issues", "pull_requests"], level: "read", role: "read" },
  readPulls: read("pull_requests"),
  readChecks: read("checks"),
  readStatuses: read("statuses"),
  readActions: read("actions"),
  readSecrets: { permissions: ["secrets"], level: "read", role: "write" },
  readAdministration: { permissions: ["administration"], level: "read", role: "admin" },
  writeContents: write("write", "contents"),
  /** Open an issue, comment: anybody who can read. */
  speak: write("read", "issues"),
  speakAnywhere: write("read", "issues", "pull_requests"),
  triage: write("triage", "issues", "pull_requests"),
  editIssues: write("write", "issues", "pull_requests"),
  speakOnPulls: write("read", "pull_requests"),
  writePulls: write("write", "pull_requests"),
  mergePulls: write("write", "contents"),
  /** Checks are for Apps. https://docs.github.com/en/rest/checks/runs#create-a-check-run */
  writeChecks: write(null, "checks"),
  writeStatuses: write("write", "statuses"),
  writeActions: write("write", "actions"),
} as const satisfies Readonly<Record<string, Need>>;
