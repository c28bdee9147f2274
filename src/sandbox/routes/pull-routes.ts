import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { deriveAppId } from "../auth/authorize.ts";
import { forbidden, notFound, unprocessable, validationFailed } from "../http-problem.ts";
import { readCommit } from "../git/commit-object.ts";
import { isAncestor, listCommits } from "../git/history.ts";
import { readBranch } from "../git/refs.ts";
import { announceIssue, recordIssue } from "../issues/issue-actions.ts";
import { recordEvent } from "../issues/record-event.ts";
import { closePull } from "../pulls/close-pull.ts";
import { emitPull } from "../pulls/emit-pull.ts";
import { loadPullFiles } from "../pulls/load-pull-files.ts";
import { reopenPull } from "../pulls/reopen-pull.ts";
import { scheduleMergeability, writePullHead } from "../pulls/mergeability.ts";
import { skipsWorkflows } from "../refs/skip-instruction.ts";
import { startPullWorkflows } from "../runs/start-pull-workflows.ts";
import { serializeCommit, serializeFile } from "../serialize/serialize-git.ts";
import { findPullIssue, serializePull, serializePullSimple } from "../serialize/serialize-pull.ts";
import type { Services } from "../services.ts";
import type { Pull } from "../state/pull.ts";
import type { Repository } from "../state/repository.ts";
import { canEdit, checkBodyLength, checkTitle } from "./issue-routes.ts";

/** https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files */
const MAX_FILES = 3000;
/** https://docs.github.com/en/rest/pulls/pulls#list-commits-on-a-pull-request */
const MAX_COMMITS = 250;

export function findPull(repository: Repository, c: ApiContext): Pull {
  const pull = repository.pulls.get(readNumber(c, "number"));
  if (pull === undefined) throw notFound();
  return pull;
}

interface Branches {
  readonly headRef: string;
  readonly headSha: string;
  readonly baseRef: string;
  readonly baseSha: string;
}

async function checkBranches(repository: Repository, head: string, baseRef: string): Promise<Branches> {
  const prefix = `${repository.owner.login}:`;
  const headRef = head.startsWith(prefix) ? head.slice(prefix.length) : head;
  const [headSha, baseSha] = await Promise.all([
    readBranch(repository.git, headRef),
    readBranch(repository.git, baseRef),
  ]);
  if (headSha === null) throw validationFailed({ resource: "PullRequest", field: "head", code: "invalid" });
  if (baseSha === null) throw validationFailed({ resource: "PullRequest", field: "base", code: "invalid" });
  const twin = [...repository.pulls.values()].find(
    (pull) => pull.headRef === headRef && pull.baseRef === baseRef && findPullIssue(repository, pull).state === "open",
  );
  const custom = { resource: "PullRequest", code: "custom" } as const;
  if (twin !== undefined) {
    throw validationFailed({ ...custom, message: `A pull request already exists for ${prefix}${headRef}.` });
  }
  if (await isAncestor(repository.git, headSha, baseSha)) {
    throw validationFailed({ ...custom, message: `No commits between ${baseRef} and ${headRef}` });
  }
  return { headRef, headSha, baseRef, baseSha };
}

/** https://docs.github.com/en/rest/pulls/pulls */
export function addPullRoutes(routes: ApiRoutes, services: Services): void {
  const { urls, world } = services;

  routes.post("/repos/:owner/:repo/pulls", async (c) => {
    const repository = enter(services, c, NEED.speakOnPulls);
    const actor = readActor(c);
    const body = await readBody(c);
    const title = body.string("title");
    const text = body.optionalString("body");
    checkBodyLength("PullRequest", text);
    const branches = await checkBranches(repository, body.string("head"), body.string("base"));
    checkTitle(title);
    const issue = recordIssue(services, repository, {
      author: actor.account,
      appId: deriveAppId(world, actor),
      title,
      body: text,
    });
    const pull: Pull = {
      id: world.ids.take("pull"),
      number: issue.number,
      ...branches,
      draft: body.flag("draft"),
      mergeability: { state: "unknown" },
      closedHeadSha: null,
      mergedAt: null,
      mergedBy: null,
      mergeCommitSha: null,
      requestedReviewers: [],
    };
    repository.pulls.set(pull.number, pull);
    await writePullHead(repository, pull);
    const answer = await serializePull(services, repository, pull);
    scheduleMergeability(services, repository, pull);
    await emitPull(services, repository, pull, { action: "opened", sender: actor.account });
    // Pull requests opened with GITHUB_TOKEN start nothing without a person's approval.
    const tip = await readCommit(repository.git, pull.headSha);
    if (actor.kind !== "run" && tip !== null && !skipsWorkflows(tip.message)) {
      startPullWorkflows(services, repository, actor.account, pull, "opened");
    }
    c.header("location", answer.url);
    return c.json(answer, 201);
  });

  routes.get("/repos/:owner/:repo/pulls", (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const state = c.req.query("state") ?? "open";
    const head = c.req.query("head");
    const base = c.req.query("base");
    const direction = c.req.query("direction") === "asc" ? 1 : -1;
    const pulls = [...repository.pulls.values()]
      .filter((pull) => state === "all" || findPullIssue(repository, pull).state === state)
      .filter((pull) => head === undefined || head === `${repository.owner.login}:${pull.headRef}`)
      .filter((pull) => base === undefined || base === pull.baseRef)
      .toSorted((a, b) => direction * (a.number - b.number));
    return c.json(paginate(c, pulls).map((pull) => serializePullSimple(services, repository, pull)));
  });

  routes.get("/repos/:owner/:repo/pulls/:number", async (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const pull = findPull(repository, c);
    const answer = await serializePull(services, repository, pull);
    if (pull.mergeability.state === "unknown" && answer.state === "open") {
      scheduleMergeability(services, repository, pull);
    }
    return c.json(answer);
  });

  routes.patch("/repos/:owner/:repo/pulls/:number", async (c) => {
    const repository = enter(services, c, NEED.speakOnPulls);
    const actor = readActor(c);
    const pull = findPull(repository, c);
    const issue = findPullIssue(repository, pull);
    if (!canEdit(services, actor, repository, issue)) throw forbidden("Must have admin rights to Repository.");
    const body = await readBody(c);
    const title = body.optionalString("title");
    const text = body.has("body") ? (body.optionalString("body") ?? "") : null;
    const baseRef = body.optionalString("base");
    const state = body.optionalChoice("state", ["open", "closed"]);
    if (title !== null) checkTitle(title);
    checkBodyLength("PullRequest", text);
    const changes: Record<string, unknown> = {};
    if (title !== null && title !== issue.title) {
      changes["title"] = { from: issue.title };
      recordEvent(services, repository, pull.number, {
        actor: actor.account,
        detail: { event: "renamed", from: issue.title, to: title },
      });
      issue.title = title;
    }
    if (text !== null && text !== (issue.body ?? "")) {
      changes["body"] = { from: issue.body ?? "" };
      issue.body = text;
    }
    if (baseRef !== null && baseRef !== pull.baseRef) {
      if (issue.state === "closed")
        throw unprocessable("Validation Failed", ["Cannot change the base branch of a closed pull request."]);
      const branches = await checkBranches(repository, pull.headRef, baseRef);
      changes["base"] = { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } };
      recordEvent(services, repository, pull.number, {
        actor: actor.account,
        detail: { event: "base_ref_changed", from: pull.baseRef, to: baseRef },
      });
      pull.baseRef = baseRef;
      pull.baseSha = branches.baseSha;
      scheduleMergeability(services, repository, pull);
    }
    if (Object.keys(changes).length > 0) {
      issue.updatedAt = world.now();
      await announceIssue(services, repository, issue, { action: "edited", sender: actor.account, changes });
    }
    if (state === "closed") {
      await closePull(services, repository, pull, actor.account);
    } else if (state === "open" && issue.state === "closed") {
      await reopenPull(services, repository, pull, actor.account);
    }
    return c.json(await serializePull(services, repository, pull));
  });

  routes.get("/repos/:owner/:repo/pulls/:number/files", async (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const pull = findPull(repository, c);
    const files = (await loadPullFiles(repository, pull)).slice(0, MAX_FILES);
    return c.json(paginate(c, files).map((file) => serializeFile(urls, repository, pull.headSha, file)));
  });

  routes.get("/repos/:owner/:repo/pulls/:number/commits", async (c) => {
    const repository = enter(services, c, NEED.readPulls);
    const pull = findPull(repository, c);
    const commits = (await listCommits(repository.git, pull.baseSha, pull.headSha)).slice(0, MAX_COMMITS);
    return c.json(paginate(c, commits).map((commit) => serializeCommit(services, repository, commit)));
  });

  routes.post("/repos/:owner/:repo/pulls/:number/requested_reviewers", async (c) => {
    const repository = enter(services, c, NEED.writePulls);
    const pull = findPull(repository, c);
    const logins = (await readBody(c)).optionalStrings("reviewers") ?? [];
    for (const login of logins) {
      const account = world.findAccount(login);
      if (
        account === null ||
        account.id === findPullIssue(repository, pull).author.id ||
        world.roleOf(repository, account) === null
      ) {
        throw unprocessable(
          "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.",
        );
      }
      if (!pull.requestedReviewers.includes(account)) pull.requestedReviewers.push(account);
    }
    return c.json(serializePullSimple(services, repository, pull), 201);
  });
}
