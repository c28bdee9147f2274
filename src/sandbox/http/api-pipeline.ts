import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { authenticate } from "../auth/authenticate.ts";
import { HttpProblem, notFound, unprocessable, validationFailed } from "../http-problem.ts";
import { type RateLimits, secondaryLimit } from "../limits/rate-limits.ts";
import { deriveRequestCost } from "../limits/request-cost.ts";
import type { RequestCounters } from "../limits/request-counters.ts";
import type { Services } from "../services.ts";
import type { Actor } from "../state/actor.ts";
import type { ApiContext, ApiEnv } from "./api-context.ts";
import { hideCreated, isHidden, omitHidden } from "./stale-reads.ts";

/** https://docs.github.com/en/rest/about-the-rest-api/api-versions */
const API_VERSIONS = ["2022-11-28", "2026-03-10"] as const;
const DEFAULT_API_VERSION = API_VERSIONS[0];

const API_ROOT = /^\/api(\/v3)?/;

/** The path below `/api/v3` (REST) or `/api` (GraphQL). */
export function stripApiRoot(path: string): string {
  return path.replace(API_ROOT, "");
}

export function readApiPath(c: ApiContext): string {
  return stripApiRoot(new URL(c.req.url).pathname);
}

export function readApiVersion(c: ApiContext): string {
  return c.req.header("x-github-api-version") ?? DEFAULT_API_VERSION;
}

/** Turns a refusal into GitHub's JSON. Anything else is a defect of the sandbox. */
export function answerProblem(services: Services, c: ApiContext, error: unknown): Response {
  if (error instanceof HttpProblem) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return c.json(error.toBody(), error.status);
  }
  services.log({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return c.json({ message: "Server Error" }, 500);
}

function setRateHeaders(c: ApiContext, limits: RateLimits, actor: Actor): void {
  const status = limits.status(actor);
  c.header("x-ratelimit-limit", String(status.limit));
  c.header("x-ratelimit-remaining", String(status.remaining));
  c.header("x-ratelimit-used", String(status.used));
  c.header("x-ratelimit-reset", String(status.reset));
  c.header("x-ratelimit-resource", "core");
}

/**
 * What 2026-03-10 has removed: `merge_commit_sha`, `has_downloads`, and `rate` of the rate limit.
 * https://docs.github.com/en/rest/about-the-rest-api/breaking-changes
 */
const REMOVED_FIELDS = new Set(["merge_commit_sha", "has_downloads", "use_squash_pr_title_as_default", "rate"]);

/** Shapes a JSON answer for the version that was asked for; the 2022 one is what the routes build. */
async function applyApiVersion(c: ApiContext): Promise<void> {
  if (readApiVersion(c) !== "2026-03-10" || !isJson(c.res)) return;
  const value: unknown = await c.res.json();
  const body = JSON.stringify(value, (key, field: unknown) => (REMOVED_FIELDS.has(key) ? undefined : field));
  const headers = new Headers(c.res.headers);
  headers.delete("content-length");
  c.res = new Response(body, { status: c.res.status, headers });
}

function isJson(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("application/json");
}

/** Answers 304 when the caller already has these bytes; such answers do not count against the limit. */
async function applyEtag(c: ApiContext): Promise<void> {
  if (c.req.method !== "GET" || c.res.status !== 200) return;
  if (!isJson(c.res)) return;
  const body = await c.res.clone().text();
  const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
  c.header("etag", etag);
  c.header("cache-control", "private, max-age=60, s-maxage=60");
  const known = c.req.header("if-none-match");
  if (known !== undefined && known.replace(/^W\//, "") === etag.replace(/^W\//, "")) {
    const headers = new Headers(c.res.headers);
    headers.delete("content-type");
    headers.delete("content-length");
    c.res = new Response(null, { status: 304, headers });
  }
}

const FAULT_MESSAGES = {
  401: "Bad credentials",
  403: "Resource not accessible by integration",
  404: "Not Found",
  500: "Server Error",
  502: "Server Error",
  503: "Service unavailable",
  504: "Server Error",
} as const;

/**
 * What a replica says that has not heard of a push.
 * https://github.com/gitbutlerapp/gitbutler/issues/4904, https://github.com/home-assistant/service-hub/pull/394
 */
function refuseUnseenPush(path: string): HttpProblem {
  return path.endsWith("/pulls")
    ? validationFailed({ resource: "PullRequest", field: "head", code: "invalid" })
    : unprocessable("No commit found for SHA: the one that was pushed");
}

/** Cuts the connection: the effect has happened, the caller will never know. */
function cutConnection(c: ApiContext): void {
  c.env.incoming.socket.destroy();
}

/** What every API request passes through: faults, version, identity, limits, counting, conditional answers. */
export function buildApiPipeline(
  services: Services,
  limits: RateLimits,
  counters: RequestCounters,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const { method } = c.req;
    const path = readApiPath(c);
    let actor: Actor = { kind: "anonymous" };
    let end: ((outcome: { readonly free: boolean }) => void) | null = null;
    const fault = services.faults.takeResponseFault(method, path);
    try {
      actor = authenticate(services.world, c.req.header("authorization"));
      c.set("actor", actor);
      if (fault?.kind === "error") throw new HttpProblem(fault.status, FAULT_MESSAGES[fault.status]);
      if (fault?.kind === "unseen-push") throw refuseUnseenPush(path);
      if (fault?.kind === "secondary-limit") throw secondaryLimit(fault.retryAfterSeconds);
      const version = readApiVersion(c);
      if (!API_VERSIONS.some((known) => known === version)) {
        throw new HttpProblem(400, `${version} is not a supported version of the API.`);
      }
      if (path !== "/rate_limit") end = limits.admit(actor, deriveRequestCost(method, path));
      if (method === "GET" && isHidden(services.faults, path)) throw notFound();
      await next();
      if (c.error !== undefined) c.res = answerProblem(services, c, c.error);
    } catch (error) {
      c.res = answerProblem(services, c, error);
    }
    await omitHidden(c, services.faults, stripApiRoot);
    await applyApiVersion(c);
    await applyEtag(c);
    end?.({ free: c.res.status === 304 });
    setRateHeaders(c, limits, actor);
    c.header("x-github-media-type", "github.v3; format=json");
    c.header("x-github-api-version-selected", readApiVersion(c));
    const { status } = c.res;
    counters.count({ method, path, status, byApp: actor.kind === "app" || actor.kind === "installation" });
    services.log({ kind: "request", method, path, status, ms: Math.round(performance.now() - startedAt) });
    if (fault?.kind === "error-after-effect") c.res = c.json({ message: "Server Error" }, 502);
    if (fault?.kind === "cut-after-effect") cutConnection(c);
    if (fault?.kind === "not-found-after-create" && status < 300) {
      await hideCreated(c, services.faults, stripApiRoot, fault.times);
    }
  };
}
