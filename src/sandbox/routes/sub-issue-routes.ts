import { type ApiRoutes, enter, NEED, readActor, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { type Body, readBody } from "../http/read-body.ts";
import { HttpProblem, notFound } from "../http-problem.ts";
import { serializeIssue } from "../serialize/serialize-issue.ts";
import type { Services } from "../services.ts";
import type { Issue } from "../state/issue.ts";
import type { Repository } from "../state/repository.ts";
import { findIssue } from "./issue-routes.ts";

/** https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/adding-sub-issues */
const MOST_SUB_ISSUES = 100;
const MOST_LEVELS = 8;

function refuse(message: string): HttpProblem {
  return new HttpProblem(422, message);
}

function readIssueId(repository: Repository, body: Body, name: string): Issue {
  const id = body.optionalNumber(name);
  const issue = [...repository.issues.values()].find((one) => one.id === id && !repository.pulls.has(one.number));
  if (issue === undefined) throw notFound();
  return issue;
}

function findParent(repository: Repository, issue: Issue): Issue | null {
  return [...repository.issues.values()].find((one) => one.subIssues.includes(issue.number)) ?? null;
}

/** Levels above an issue. */
function measureDepth(repository: Repository, issue: Issue): number {
  const parent = findParent(repository, issue);
  return parent === null ? 0 : 1 + measureDepth(repository, parent);
}

function isAbove(repository: Repository, issue: Issue, other: Issue): boolean {
  const parent = findParent(repository, other);
  return parent !== null && (parent === issue || isAbove(repository, issue, parent));
}

/** https://docs.github.com/en/rest/issues/sub-issues, …/issue-dependencies; without their webhooks, which nobody here hears. */
export function addSubIssueRoutes(routes: ApiRoutes, services: Services): void {
  const list = (repository: Repository, numbers: readonly number[]): Issue[] =>
    numbers.flatMap((number) => repository.issues.get(number) ?? []);

  routes.get("/repos/:owner/:repo/issues/:number/sub_issues", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    const issues = list(repository, findIssue(repository, c).subIssues);
    return c.json(paginate(c, issues).map((issue) => serializeIssue(services, repository, issue)));
  });

  routes.post("/repos/:owner/:repo/issues/:number/sub_issues", async (c) => {
    const repository = enter(services, c, NEED.editIssues);
    readActor(c);
    const parent = findIssue(repository, c);
    const issue = readIssueId(repository, await readBody(c), "sub_issue_id");
    if (parent.subIssues.includes(issue.number)) throw refuse("Issue may not contain duplicate sub-issues");
    if (findParent(repository, issue) !== null) throw refuse("Sub issue may only have one parent");
    if (issue === parent || isAbove(repository, issue, parent)) throw refuse("Sub issue can't be its own ancestor");
    if (parent.subIssues.length >= MOST_SUB_ISSUES) throw refuse("Parent cannot have more than 100 sub-issues");
    if (measureDepth(repository, parent) + 1 > MOST_LEVELS) throw refuse("Sub-issues may only be nested 8 levels deep");
    parent.subIssues.push(issue.number);
    return c.json(serializeIssue(services, repository, issue), 201);
  });

  routes.get("/repos/:owner/:repo/issues/:number/dependencies/blocked_by", (c) => {
    const repository = enter(services, c, NEED.readIssues);
    const issues = list(repository, findIssue(repository, c).blockedBy);
    return c.json(paginate(c, issues).map((issue) => serializeIssue(services, repository, issue)));
  });

  routes.post("/repos/:owner/:repo/issues/:number/dependencies/blocked_by", async (c) => {
    const repository = enter(services, c, NEED.editIssues);
    readActor(c);
    const issue = findIssue(repository, c);
    const blocker = readIssueId(repository, await readBody(c), "issue_id");
    if (issue === blocker || issue.blockedBy.includes(blocker.number))
      throw refuse("The dependency already exists or names the issue itself");
    issue.blockedBy.push(blocker.number);
    return c.json(serializeIssue(services, repository, issue), 201);
  });

  routes.delete("/repos/:owner/:repo/issues/:number/dependencies/blocked_by/:id", (c) => {
    const repository = enter(services, c, NEED.editIssues);
    const issue = findIssue(repository, c);
    const id = readNumber(c, "id");
    const blocker = list(repository, issue.blockedBy).find((one) => one.id === id);
    if (blocker === undefined) throw notFound();
    issue.blockedBy = issue.blockedBy.filter((number) => number !== blocker.number);
    return c.json(serializeIssue(services, repository, issue));
  });
}
