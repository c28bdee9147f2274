import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readNumber, readParam } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { type Body, MAX_BODY_CHARACTERS, MAX_TITLE_CHARACTERS, readBody } from "../http/read-body.ts";
import { allows, deriveAppId } from "../auth/authorize.ts";
import { forbidden, notFound, validationFailed } from "../http-problem.ts";
import { addLabels, announceIssue, recordIssue } from "../issues/issue-actions.ts";
import { recordEvent } from "../issues/record-event.ts";
import { closePull } from "../pulls/close-pull.ts";
import { reopenPull } from "../pulls/reopen-pull.ts";
import { serializeEvent } from "../serialize/serialize-event.ts";
import { serializeIssue } from "../serialize/serialize-issue.ts";
import type { Services } from "../services.ts";
import type { NamedActor } from "../state/actor.ts";
import type { Issue } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";

export function findIssue(repository: Repository, c: ApiContext): Issue {
  const issue = repository.issues.get(readNumber(c, "number"));
  if (issue === undefined) throw notFound();
  return issue;
}

export function checkBodyLength(resource: string, body: string | null): void {
  if (body !== null && body.length > MAX_BODY_CHARACTERS) {
    throw validationFailed({
      resource,
      field: "body",
      code: "custom",
      message: `body is too long (maximum is ${MAX_BODY_CHARACTERS} characters)`,
    });
  }
}

/** Also of pull requests: GitHub names the issue behind them. */
export function checkTitle(title: string): void {
  if (title.trim() === "") throw validationFailed({ resource: "Issue", field: "title", code: "missing_field" });
  if (title.length > MAX_TITLE_CHARACTERS) {
    throw validationFailed({
      resource: "Issue",
      field: "title",
      code: "custom",
      message: `title is too long (maximum is ${MAX_TITLE_CHARACTERS} characters)`,
    });
  }
}

function readLabelNames(body: Body): string[] | null {
  const raw = body.raw("labels");
  if (!Array.isArray(raw)) return null;
  return raw.map((item: unknown) => {
    if (typeof item === "string") return item;
    const name = (item as { name?: unknown } | null)?.name;
    if (typeof name === "string") return name;
    throw validationFailed({ resource: "Label", field: "name", code: "invalid" });
  });
}

/** Editing takes triage rights, except for one's own issue. */
export function canEdit(services: Services, actor: NamedActor, repository: Repository, issue: Issue): boolean {
  if (allows(services.world, actor, repository, NEED.triage)) return true;
  return actor.kind === "user" && actor.account.id === issue.author.id;
}

function readAssignees(services: Services, body: Body) {
  return (body.optionalStrings("assignees") ?? []).flatMap((login) => services.world.findAccount(login) ?? []);
}

async function changeState(
  services: Services,
  repository: Repository,
  issue: Issue,
  change: { readonly body: Body; readonly actor: NamedActor },
): Promise<void> {
  const state = change.body.optionalChoice("state", ["open", "closed"]);
  if (state === null || state === issue.state) return;
  const sender = change.actor.account;
  const pull = repository.pulls.get(issue.number);
  if (pull !== undefined) {
    if (state === "closed") await closePull(services, repository, pull, sender);
    else await reopenPull(services, repository, pull, sender);
    return;
  }
  const at = services.world.now();
  issue.state = state;
  issue.updatedAt = at;
  issue.closedAt = state === "closed" ? at : null;
  issue.closedBy = state === "closed" ? sender : null;
  const reason = change.body.optionalChoice("state_reason", ["completed", "not_planned", "reopened", "duplicate"]);
  issue.stateReason = state === "closed" ? (reason ?? "completed") : "reopened";
  recordEvent(services, repository, issue.number, {
    actor: sender,
    detail: state === "closed" ? { event: "closed", reason: issue.stateReason } : { event: "reopened" },
  });
  await announceIssue(services, repository, issue, { action: state === "closed" ? "closed" : "reopened", sender });
}

async function editIssue(
  services: Services,
  repository: Repository,
  issue: Issue,
  change: { readonly body: Body; readonly actor: NamedActor },
): Promise<void> {
  const { body, actor } = change;
  const title = body.optionalString("title");
  const text = body.has("body") ? (body.optionalString("body") ?? "") : null;
  if (title !== null) checkTitle(title);
  checkBodyLength("Issue", text);
  const changes: Record<string, unknown> = {};
  if (title !== null && title !== issue.title) {
    changes["title"] = { from: issue.title };
    recordEvent(services, repository, issue.number, {
      actor: actor.account,
      detail: { event: "renamed", from: issue.title, to: title },
    });
    issue.title = title;
  }
  if (text !== null && text !== (issue.body ?? "")) {
    changes["body"] = { from: issue.body ?? "" };
    issue.body = text;
  }
  if (Object.keys(changes).length > 0) {
    issue.updatedAt = services.world.now();
    await announceIssue(services, repository, issue, { action: "edited", sender: actor.account, changes });
  }
}

/** https://docs.github.com/en/rest/issues/issues */
export function addIssueRoutes(routes: ApiRoutes, services: Services): void {
  const { world } = services;

  routes.post("/repos/:owner/:repo/issues", async (c) => {
    const repository = enter(services, c, NEED.speak);
    const actor = readActor(c);
    const body = await readBody(c);
    const title = body.string("title");
    const text = body.optionalString("body");
    checkTitle(title);
    checkBodyLength("Issue", text);
    const issue = recordIssue(services, repository, {
      author: actor.account,
      appId: deriveAppId(world, actor),
      title,
      body: text,
    });
    const trusted = allows(world, actor, repository, NEED.triage);
    // Labels and assignees of people without push access are silently dropped.
    const names = trusted ? (readLabelNames(body) ?? []) : [];
    if (trusted) issue.assignees = readAssignees(services, body);
    await announceIssue(services, repository, issue, { action: "opened", sender: actor.account });
    await addLabels(services, repository, issue, { names, sender: actor.account });
    return c.json(serializeIssue(services, repository, issue), 201);
  });

  routes.get("/repos/:owner/:repo/issues", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    const state = c.req.query("state") ?? "open";
    const labels = (c.req.query("labels") ?? "").split(",").filter((name) => name !== "");
    const since = Date.parse(c.req.query("since") ?? "");
    const creator = c.req.query("creator");
    const direction = c.req.query("direction") === "asc" ? 1 : -1;
    const sort = c.req.query("sort") === "updated" ? "updatedAt" : "createdAt";
    const issues = [...repository.issues.values()]
      .filter((issue) => state === "all" || issue.state === state)
      .filter((issue) => labels.every((name) => issue.labels.includes(name.toLowerCase())))
      .filter((issue) => Number.isNaN(since) || issue.updatedAt >= since)
      .filter((issue) => creator === undefined || issue.author.login === creator)
      .toSorted((a, b) => direction * (a[sort] - b[sort] || a.number - b.number));
    return c.json(paginate(c, issues).map((issue) => serializeIssue(services, repository, issue)));
  });

  routes.get("/repos/:owner/:repo/issues/:number", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    return c.json(serializeIssue(services, repository, findIssue(repository, c)));
  });

  routes.patch("/repos/:owner/:repo/issues/:number", async (c) => {
    const repository = enter(services, c, NEED.speakAnywhere);
    const actor = readActor(c);
    const issue = findIssue(repository, c);
    if (!canEdit(services, actor, repository, issue)) throw forbidden("Must have admin rights to Repository.");
    const body = await readBody(c);
    await editIssue(services, repository, issue, { body, actor });
    const names = readLabelNames(body);
    if (names !== null) {
      const wanted = new Set(names.map((name) => name.toLowerCase()));
      for (const name of issue.labels.filter((label) => !wanted.has(label))) {
        issue.labels = issue.labels.filter((label) => label !== name);
        const label = repository.labels.get(name);
        if (label !== undefined) {
          await announceIssue(services, repository, issue, { action: "unlabeled", sender: actor.account, label });
        }
      }
      await addLabels(services, repository, issue, { names, sender: actor.account });
    }
    if (body.has("assignees")) issue.assignees = readAssignees(services, body);
    await changeState(services, repository, issue, { body, actor });
    return c.json(serializeIssue(services, repository, issue));
  });

  routes.put("/repos/:owner/:repo/issues/:number/lock", async (c) => {
    const repository = enter(services, c, NEED.editIssues);
    const actor = readActor(c);
    const issue = findIssue(repository, c);
    const body = await readBody(c);
    issue.locked = true;
    issue.lockReason = body.optionalString("lock_reason");
    recordEvent(services, repository, issue.number, { actor: actor.account, detail: { event: "locked" } });
    await announceIssue(services, repository, issue, { action: "locked", sender: actor.account });
    return c.body(null, 204);
  });

  routes.delete("/repos/:owner/:repo/issues/:number/lock", async (c) => {
    const repository = enter(services, c, NEED.editIssues);
    const actor = readActor(c);
    const issue = findIssue(repository, c);
    issue.locked = false;
    issue.lockReason = null;
    recordEvent(services, repository, issue.number, { actor: actor.account, detail: { event: "unlocked" } });
    await announceIssue(services, repository, issue, { action: "unlocked", sender: actor.account });
    return c.body(null, 204);
  });

  routes.get("/repos/:owner/:repo/issues/:number/events", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    const issue = findIssue(repository, c);
    const events = repository.events.filter(
      (event) => event.issueNumber === issue.number && event.detail.event !== "pushed",
    );
    return c.json(paginate(c, events).map((event) => serializeEvent(services, repository, event)));
  });

  routes.get("/repos/:owner/:repo/assignees/:username", (c) => {
    const repository = enter(services, c, NEED.readMetadata);
    const account = world.findAccount(readParam(c, "username"));
    if (account === null || world.roleOf(repository, account) === null) throw notFound();
    return c.body(null, 204);
  });
}
