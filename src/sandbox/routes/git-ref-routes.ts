import { type ApiRoutes, NEED, enter, readActor, readParam } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { notFound, unprocessable } from "../http-problem.ts";
import { isAncestor } from "../git/history.ts";
import { isValidRefName, listRefs, readRef } from "../git/refs.ts";
import { changeRef } from "../refs/change-ref.ts";
import { checkRules, checkWorkflowFiles } from "../refs/check-ref-rules.ts";
import { serializeRef } from "../serialize/serialize-git.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";

async function requireObject(repository: Repository, sha: string): Promise<"commit" | "other"> {
  if (!/^[0-9a-f]{40}$/.test(sha))
    throw unprocessable("The sha parameter must be exactly 40 characters and contain only [0-9a-f].");
  const object = await repository.git.objects.read(sha);
  if (object === null) throw unprocessable("Object does not exist");
  return object.type === "commit" ? "commit" : "other";
}

/** https://docs.github.com/en/rest/git/refs */
export function addGitRefRoutes(routes: ApiRoutes, services: Services): void {
  const { urls } = services;

  routes.get("/repos/:owner/:repo/git/ref/:ref{.+}", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const ref = await readRef(repository.git, `refs/${readParam(c, "ref")}`);
    if (ref === null) throw notFound();
    return c.json(serializeRef(urls, repository, ref));
  });

  routes.get("/repos/:owner/:repo/git/matching-refs/:ref{.*}", async (c) => {
    const repository = enter(services, c, NEED.readContents);
    const refs = await listRefs(repository.git, `refs/${c.req.param("ref") ?? ""}`);
    return c.json(paginate(c, refs).map((ref) => serializeRef(urls, repository, ref)));
  });

  routes.post("/repos/:owner/:repo/git/refs", async (c) => {
    const repository = enter(services, c, NEED.writeContents);
    const actor = readActor(c);
    const body = await readBody(c);
    const name = body.string("ref");
    const sha = body.string("sha");
    if (!/^refs\/[^/]+\/.+/.test(name)) {
      throw unprocessable("Reference name must start with 'refs/' and contain at least two slashes.");
    }
    if (name.startsWith("refs/pull/") || !(await isValidRefName(repository.git, name))) {
      throw unprocessable(`${name} is not a valid ref name.`);
    }
    const type = await requireObject(repository, sha);
    if (name.startsWith("refs/heads/") && type !== "commit") throw unprocessable("Object is not a commit");
    if ((await readRef(repository.git, name)) !== null) throw unprocessable("Reference already exists");
    const change = { name, before: null, after: sha };
    await checkRules(repository, change);
    await checkWorkflowFiles(repository, actor, change);
    const written = await changeRef(services, repository, actor, change);
    if (!written.ok) {
      // Lost the race against an equal ref, or `x` and `x/y` cannot coexist.
      const exists = (await readRef(repository.git, name)) !== null;
      throw unprocessable(exists ? "Reference already exists" : "Reference update failed");
    }
    const ref = await readRef(repository.git, name);
    if (ref === null) throw notFound();
    c.header("location", serializeRef(urls, repository, ref).url);
    return c.json(serializeRef(urls, repository, ref), 201);
  });

  routes.patch("/repos/:owner/:repo/git/refs/:ref{.+}", async (c) => {
    const repository = enter(services, c, NEED.writeContents);
    const actor = readActor(c);
    const body = await readBody(c);
    const name = `refs/${readParam(c, "ref")}`;
    const sha = body.string("sha");
    const current = name.startsWith("refs/pull/") ? null : await readRef(repository.git, name);
    if (current === null) throw unprocessable("Reference does not exist");
    const type = await requireObject(repository, sha);
    if (name.startsWith("refs/heads/") && type !== "commit") throw unprocessable("Object is not a commit");
    if (!body.flag("force") && !(await isAncestor(repository.git, current.sha, sha))) {
      throw unprocessable("Update is not a fast forward");
    }
    const change = { name, before: current.sha, after: sha };
    await checkRules(repository, change);
    await checkWorkflowFiles(repository, actor, change);
    if (current.sha !== sha) {
      const written = await changeRef(services, repository, actor, change);
      // Somebody else moved it in between: their commit is not in ours.
      if (!written.ok) throw unprocessable("Update is not a fast forward");
    }
    return c.json(serializeRef(urls, repository, { ...current, sha }));
  });

  routes.delete("/repos/:owner/:repo/git/refs/:ref{.+}", async (c) => {
    const repository = enter(services, c, NEED.writeContents);
    const actor = readActor(c);
    const name = `refs/${readParam(c, "ref")}`;
    const current = name.startsWith("refs/pull/") ? null : await readRef(repository.git, name);
    if (current === null) throw unprocessable("Reference does not exist");
    if (name === `refs/heads/${repository.defaultBranch}`) throw unprocessable("Cannot delete the default branch");
    const change = { name, before: current.sha, after: null };
    await checkRules(repository, change);
    const written = await changeRef(services, repository, actor, change);
    if (!written.ok) throw unprocessable("Reference does not exist");
    return c.body(null, 204);
  });
}
