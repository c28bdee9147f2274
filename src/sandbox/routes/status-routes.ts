import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readParam } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { notFound, unprocessable, validationFailed } from "../http-problem.ts";
import { readCommit } from "../git/commit-object.ts";
import { listRefs } from "../git/refs.ts";
import { serializeStatus } from "../serialize/serialize-check.ts";
import { serializeCommit } from "../serialize/serialize-git.ts";
import { formatRepositoryUrl, serializeMinimalRepository } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { CommitStatus } from "../state/check.ts";
import type { Repository } from "../state/repository.ts";
import { emitEvent } from "../webhooks/emit-event.ts";
import { resolveRevision } from "./contents-routes.ts";

const STATES = ["error", "failure", "pending", "success"] as const;
/** https://docs.github.com/en/rest/commits/statuses#create-a-commit-status */
const MAX_STATUSES = 1000;

async function requireSha(repository: Repository, c: ApiContext): Promise<string> {
  const sha = await resolveRevision(repository, readParam(c, "ref"));
  if (sha === null) throw unprocessable(`No commit found for SHA: ${readParam(c, "ref")}`);
  return sha;
}

function listLatest(statuses: readonly CommitStatus[]): CommitStatus[] {
  return [...new Map(statuses.map((status) => [status.context.toLowerCase(), status])).values()];
}

function combine(statuses: readonly CommitStatus[]): "failure" | "pending" | "success" {
  if (statuses.some(({ state }) => state === "error" || state === "failure")) return "failure";
  return statuses.length === 0 || statuses.some(({ state }) => state === "pending") ? "pending" : "success";
}

/** https://docs.github.com/en/rest/commits/statuses */
export function addStatusRoutes(routes: ApiRoutes, services: Services): void {
  const { urls, world } = services;
  const listAt = (repository: Repository, sha: string) => repository.statuses.filter((status) => status.sha === sha);

  routes.post("/repos/:owner/:repo/statuses/:sha", async (c) => {
    const repository = enter(services, c, NEED.writeStatuses);
    const actor = readActor(c);
    const sha = readParam(c, "sha");
    const commit = /^[0-9a-f]{40}$/.test(sha) ? await readCommit(repository.git, sha) : null;
    if (commit === null) throw unprocessable(`No commit found for SHA: ${sha}`);
    const body = await readBody(c);
    const state = body.optionalChoice("state", STATES);
    if (state === null) throw unprocessable(`Invalid request.\n\n"state" wasn't supplied.`);
    const context = body.optionalString("context") ?? "default";
    if (listAt(repository, sha).filter((status) => status.context === context).length >= MAX_STATUSES) {
      throw validationFailed({
        resource: "Status",
        code: "custom",
        message: "This SHA and context has reached the maximum number of statuses.",
      });
    }
    const status: CommitStatus = {
      id: world.ids.take("status"),
      sha,
      state,
      context,
      description: body.optionalString("description"),
      targetUrl: body.optionalString("target_url"),
      creator: actor.account,
      createdAt: world.now(),
    };
    repository.statuses.push(status);
    const branches = (await listRefs(repository.git, "refs/heads/")).filter((ref) => ref.sha === sha);
    emitEvent(services, repository, {
      event: "status",
      action: null,
      sender: actor.account,
      payload: {
        ...serializeStatus(urls, repository, status),
        sha,
        name: `${repository.owner.login}/${repository.name}`,
        commit: serializeCommit(services, repository, commit),
        branches: branches.map((ref) => ({
          name: ref.name.slice("refs/heads/".length),
          commit: { sha, url: `${formatRepositoryUrl(urls, repository)}/commits/${sha}` },
          protected: false,
        })),
      },
    });
    return c.json(serializeStatus(urls, repository, status), 201);
  });

  routes.get("/repos/:owner/:repo/commits/:ref{.+}/statuses", async (c) => {
    const repository = enter(services, c, NEED.readStatuses);
    const sha = await requireSha(repository, c);
    const statuses = listAt(repository, sha).toReversed();
    return c.json(paginate(c, statuses).map((status) => serializeStatus(urls, repository, status)));
  });

  routes.get("/repos/:owner/:repo/commits/:ref{.+}/status", async (c) => {
    const repository = enter(services, c, NEED.readStatuses);
    const sha = await requireSha(repository, c);
    const latest = listLatest(listAt(repository, sha));
    const root = formatRepositoryUrl(urls, repository);
    if (sha === "") throw notFound();
    return c.json({
      state: combine(latest),
      statuses: paginate(c, latest).map((status) => serializeStatus(urls, repository, status)),
      sha,
      total_count: latest.length,
      repository: serializeMinimalRepository(urls, repository),
      commit_url: `${root}/commits/${sha}`,
      url: `${root}/commits/${sha}/status`,
    });
  });
}
