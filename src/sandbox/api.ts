import { Hono } from "hono";
import { PatternRouter } from "hono/router/pattern-router";
import type { ApiContext, ApiEnv } from "./http/api-context.ts";
import { answerProblem, buildApiPipeline, readApiPath, stripApiRoot } from "./http/api-pipeline.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { RequestCounters } from "./limits/request-counters.ts";
import { addAppRoutes } from "./routes/app-routes.ts";
import { addArtifactRoutes } from "./routes/artifact-routes.ts";
import { addCheckRunRoutes } from "./routes/check-run-routes.ts";
import { addCommentRoutes } from "./routes/comment-routes.ts";
import { addCommitRoutes } from "./routes/commit-routes.ts";
import { addContentsRoutes } from "./routes/contents-routes.ts";
import { addGitObjectRoutes } from "./routes/git-object-routes.ts";
import { addGitRefRoutes } from "./routes/git-ref-routes.ts";
import { addGraphqlRoutes } from "./routes/graphql-routes.ts";
import { addHookRoutes } from "./routes/hook-routes.ts";
import { addIssueRoutes } from "./routes/issue-routes.ts";
import { addLabelRoutes } from "./routes/label-routes.ts";
import { addMergeRoutes } from "./routes/merge-routes.ts";
import { addPullRoutes } from "./routes/pull-routes.ts";
import { addRepositoryRoutes } from "./routes/repository-routes.ts";
import { addReviewCommentRoutes } from "./routes/review-comment-routes.ts";
import { addReviewRoutes } from "./routes/review-routes.ts";
import { addSecretRoutes } from "./routes/secret-routes.ts";
import { addStatusRoutes } from "./routes/status-routes.ts";
import { addSubIssueRoutes } from "./routes/sub-issue-routes.ts";
import { addUserRoutes } from "./routes/user-routes.ts";
import { addWorkflowRoutes } from "./routes/workflow-routes.ts";
import { addWorkflowRunRoutes } from "./routes/workflow-run-routes.ts";
import type { Services } from "./services.ts";
import { formatFullName } from "./state/repository.ts";

/** Every repository route answers by id as well: that is where redirects of renamed ones lead. */
function resolvePath(services: Services, path: string): string {
  const found = /^\/repositories\/(\d+)\/(.+)$/.exec(path);
  const repository = found === null ? undefined : services.world.repositories.get(Number(found[1]));
  return repository === undefined ? path : `/repos/${formatFullName(repository)}/${found?.[2]}`;
}

/**
 * The REST API. Paths are matched in order and each as one regular expression, so that refs and file
 * names may hold slashes: the narrower route stands before the wider one.
 */
export function buildApi(
  services: Services,
  parts: { readonly limits: RateLimits; readonly counters: RequestCounters; readonly site: Hono },
): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>({
    router: new PatternRouter(),
    getPath: (request) => resolvePath(services, stripApiRoot(new URL(request.url).pathname)),
  });
  routes.use("*", buildApiPipeline(services, parts.limits, parts.counters));
  addAppRoutes(routes, services);
  addHookRoutes(routes, services);
  addUserRoutes(routes, services, parts.limits);
  addRepositoryRoutes(routes, services);
  addContentsRoutes(routes, services);
  addGitRefRoutes(routes, services);
  addGitObjectRoutes(routes, services);
  addStatusRoutes(routes, services);
  addCheckRunRoutes(routes, services);
  addCommitRoutes(routes, services);
  addCommentRoutes(routes, services);
  addLabelRoutes(routes, services);
  addSubIssueRoutes(routes, services);
  addIssueRoutes(routes, services);
  addReviewCommentRoutes(routes, services);
  addReviewRoutes(routes, services);
  addMergeRoutes(routes, services);
  addPullRoutes(routes, services);
  addWorkflowRoutes(routes, services);
  addArtifactRoutes(routes, parts.site, services);
  addWorkflowRunRoutes(routes, services);
  addSecretRoutes(routes, services);
  addGraphqlRoutes(routes, services);
  routes.notFound((c) => {
    const path = readApiPath(c as ApiContext);
    services.log({ kind: "not-implemented", method: c.req.method, path });
    return c.json({ message: `${c.req.method} ${path} is not implemented in the sandbox`, status: "501" }, 501);
  });
  routes.onError((error, c) => answerProblem(services, c as ApiContext, error));
  return routes;
}
