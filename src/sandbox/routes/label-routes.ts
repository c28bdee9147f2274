import { type ApiRoutes, NEED, enter, readActor, readParam } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { type Body, readBody } from "../http/read-body.ts";
import { notFound, unprocessable, validationFailed } from "../http-problem.ts";
import { addLabels, removeLabel } from "../issues/issue-actions.ts";
import { listLabels, serializeLabel } from "../serialize/serialize-issue.ts";
import type { Services } from "../services.ts";
import type { Issue, Label } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";
import { findIssue } from "./issue-routes.ts";

function readNames(body: Body): string[] {
  const list = body.has("labels") ? body.raw("labels") : body.raw("items");
  if (!Array.isArray(list)) throw unprocessable(`Invalid request.\n\n"labels" wasn't supplied.`);
  return list.map((item: unknown) => {
    const name = typeof item === "string" ? item : (item as { name?: unknown } | null)?.name;
    if (typeof name !== "string") throw validationFailed({ resource: "Label", field: "name", code: "invalid" });
    return name;
  });
}

/** https://docs.github.com/en/rest/issues/labels */
export function addLabelRoutes(routes: ApiRoutes, services: Services): void {
  const { urls, world } = services;
  const show = (repository: Repository, issue: Issue) =>
    listLabels(repository, issue).map((label) => serializeLabel(urls, repository, label));

  routes.get("/repos/:owner/:repo/labels", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    return c.json(paginate(c, [...repository.labels.values()]).map((label) => serializeLabel(urls, repository, label)));
  });

  routes.get("/repos/:owner/:repo/labels/:name", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    const label = repository.labels.get(readParam(c, "name").toLowerCase());
    if (label === undefined) throw notFound();
    return c.json(serializeLabel(urls, repository, label));
  });

  routes.post("/repos/:owner/:repo/labels", async (c) => {
    const repository = enter(services, c, NEED.editIssues);
    const body = await readBody(c);
    const name = body.string("name");
    if (repository.labels.has(name.toLowerCase())) {
      throw validationFailed({ resource: "Label", code: "already_exists", field: "name" });
    }
    const label: Label = {
      id: world.ids.take("label"),
      name,
      color: body.optionalString("color") ?? "ededed",
      description: body.optionalString("description"),
    };
    repository.labels.set(name.toLowerCase(), label);
    return c.json(serializeLabel(urls, repository, label), 201);
  });

  routes.get("/repos/:owner/:repo/issues/:number/labels", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    return c.json(paginate(c, show(repository, findIssue(repository, c))));
  });

  routes.post("/repos/:owner/:repo/issues/:number/labels", async (c) => {
    const repository = enter(services, c, NEED.triage);
    const issue = findIssue(repository, c);
    const names = readNames(await readBody(c));
    await addLabels(services, repository, issue, { names, sender: readActor(c).account });
    return c.json(show(repository, issue));
  });

  routes.put("/repos/:owner/:repo/issues/:number/labels", async (c) => {
    const repository = enter(services, c, NEED.triage);
    const issue = findIssue(repository, c);
    const sender = readActor(c).account;
    const names = readNames(await readBody(c));
    const wanted = new Set(names.map((name) => name.toLowerCase()));
    for (const name of issue.labels.filter((label) => !wanted.has(label))) {
      await removeLabel(services, repository, issue, { name, sender });
    }
    await addLabels(services, repository, issue, { names, sender });
    return c.json(show(repository, issue));
  });

  routes.delete("/repos/:owner/:repo/issues/:number/labels/:name", async (c) => {
    const repository = enter(services, c, NEED.triage);
    const issue = findIssue(repository, c);
    const change = { name: readParam(c, "name"), sender: readActor(c).account };
    if (!(await removeLabel(services, repository, issue, change))) throw notFound("Label does not exist");
    return c.json(show(repository, issue));
  });
}
