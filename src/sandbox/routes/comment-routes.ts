import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { allows, deriveAppId } from "../auth/authorize.ts";
import { forbidden, notFound, validationFailed } from "../http-problem.ts";
import { emitComment } from "../issues/emit-issue.ts";
import { serializeComment } from "../serialize/serialize-issue.ts";
import type { Services } from "../services.ts";
import type { NamedActor } from "../state/actor.ts";
import type { Comment } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";
import { checkBodyLength, findIssue } from "./issue-routes.ts";

function findComment(repository: Repository, c: ApiContext): Comment {
  const comment = repository.comments.get(readNumber(c, "id"));
  if (comment === undefined) throw notFound();
  return comment;
}

/** One's own comments, and with write access everybody's. */
function requireEditor(services: Services, actor: NamedActor, repository: Repository, comment: Comment): void {
  const own = actor.account.id === comment.author.id;
  if (!own && !allows(services.world, actor, repository, NEED.editIssues)) {
    throw forbidden("Must have admin rights to Repository.");
  }
}

/** https://docs.github.com/en/rest/issues/comments */
export function addCommentRoutes(routes: ApiRoutes, services: Services): void {
  const { world } = services;

  routes.post("/repos/:owner/:repo/issues/:number/comments", async (c) => {
    const repository = enter(services, c, NEED.speakAnywhere);
    const actor = readActor(c);
    const issue = findIssue(repository, c);
    const text = (await readBody(c)).string("body");
    if (text.trim() === "") {
      throw validationFailed({
        resource: "IssueComment",
        field: "data",
        code: "unprocessable",
        message: "Body cannot be blank",
      });
    }
    checkBodyLength("IssueComment", text);
    // No App comments on a locked issue, whatever its permissions (github.com/probot/stale/issues/25).
    if (issue.locked && !(actor.kind === "user" && allows(world, actor, repository, NEED.editIssues))) {
      throw forbidden("Unable to create comment because issue is locked.");
    }
    const at = world.now();
    const comment: Comment = {
      id: world.ids.take("comment"),
      issueNumber: issue.number,
      author: actor.account,
      appId: deriveAppId(world, actor),
      body: text,
      createdAt: at,
      updatedAt: at,
    };
    repository.comments.set(comment.id, comment);
    issue.updatedAt = at;
    emitComment(services, repository, comment, { action: "created", sender: actor.account });
    return c.json(serializeComment(services, repository, comment), 201);
  });

  routes.get("/repos/:owner/:repo/issues/:number/comments", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    const issue = findIssue(repository, c);
    const since = Date.parse(c.req.query("since") ?? "");
    const comments = [...repository.comments.values()].filter(
      (comment) => comment.issueNumber === issue.number && (Number.isNaN(since) || comment.updatedAt >= since),
    );
    return c.json(paginate(c, comments).map((comment) => serializeComment(services, repository, comment)));
  });

  routes.get("/repos/:owner/:repo/issues/comments", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    const since = Date.parse(c.req.query("since") ?? "");
    const sort = c.req.query("sort") === "updated" ? "updatedAt" : "createdAt";
    const direction = c.req.query("direction") === "desc" ? -1 : 1;
    const comments = [...repository.comments.values()]
      .filter((comment) => Number.isNaN(since) || comment.updatedAt >= since)
      .toSorted((a, b) => direction * (a[sort] - b[sort] || a.id - b.id));
    return c.json(paginate(c, comments).map((comment) => serializeComment(services, repository, comment)));
  });

  routes.get("/repos/:owner/:repo/issues/comments/:id", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    return c.json(serializeComment(services, repository, findComment(repository, c)));
  });

  routes.patch("/repos/:owner/:repo/issues/comments/:id", async (c) => {
    const repository = enter(services, c, NEED.speakAnywhere);
    const actor = readActor(c);
    const comment = findComment(repository, c);
    requireEditor(services, actor, repository, comment);
    const text = (await readBody(c)).string("body");
    checkBodyLength("IssueComment", text);
    const before = comment.body;
    comment.body = text;
    comment.updatedAt = world.now();
    if (before !== text) {
      emitComment(services, repository, comment, {
        action: "edited",
        sender: actor.account,
        changes: { body: { from: before } },
      });
    }
    return c.json(serializeComment(services, repository, comment));
  });

  routes.delete("/repos/:owner/:repo/issues/comments/:id", (c) => {
    const repository = enter(services, c, NEED.speakAnywhere);
    const actor = readActor(c);
    const comment = findComment(repository, c);
    requireEditor(services, actor, repository, comment);
    repository.comments.delete(comment.id);
    emitComment(services, repository, comment, { action: "deleted", sender: actor.account });
    return c.body(null, 204);
  });
}
