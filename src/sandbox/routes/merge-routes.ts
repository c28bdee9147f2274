import { type ApiRoutes, NEED, enter, readActor } from "../http/api-context.ts";
import { readBody } from "../http/read-body.ts";
import { notFound } from "../http-problem.ts";
import { mergePull } from "../pulls/merge-pull.ts";
import type { Services } from "../services.ts";
import { findPull } from "./pull-routes.ts";

/** https://docs.github.com/en/rest/pulls/pulls#merge-a-pull-request */
export function addMergeRoutes(routes: ApiRoutes, services: Services): void {
  routes.get("/repos/:owner/:repo/pulls/:number/merge", (c) => {
    const repository = enter(services, c, NEED.readPulls);
    if (findPull(repository, c).mergedAt === null) throw notFound();
    return c.body(null, 204);
  });

  routes.put("/repos/:owner/:repo/pulls/:number/merge", async (c) => {
    const repository = enter(services, c, NEED.mergePulls);
    const body = await readBody(c);
    const sha = await mergePull(services, repository, findPull(repository, c), readActor(c), {
      method: body.optionalChoice("merge_method", ["merge", "squash", "rebase"]) ?? "merge",
      title: body.optionalString("commit_title"),
      message: body.optionalString("commit_message"),
      sha: body.optionalString("sha"),
    });
    return c.json({ sha, merged: true, message: "Pull Request successfully merged" });
  });
}
