import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readNumber, readParam } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { forbidden, notFound, unprocessable } from "../http-problem.ts";
import { applyCheckFields, parseCheckRequest } from "../checks/parse-check-request.ts";
import {
  announceCheck,
  emitCheckRun,
  emitSuite,
  ensureSuite,
  findSuiteOf,
  loadCheckSuite,
} from "../checks/record-check.ts";
import { deriveAppId } from "../auth/authorize.ts";
import { readCommit } from "../git/commit-object.ts";
import { listRefs } from "../git/refs.ts";
import { listLatestChecks, listPullsAt, serializeCheckRun } from "../serialize/serialize-check.ts";
import { encodePath } from "../serialize/serialize-git.ts";
import { formatRepositoryPage } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { CheckRun, CheckSuite } from "../state/check.ts";
import type { Repository } from "../state/repository.ts";
import { resolveRevision } from "./contents-routes.ts";

function findCheckRun(repository: Repository, c: ApiContext): CheckRun {
  const run = repository.checkRuns.get(readNumber(c, "id"));
  if (run === undefined) throw notFound();
  return run;
}

function findSuite(repository: Repository, c: ApiContext): CheckSuite {
  const suite = repository.checkSuites.get(readNumber(c, "id"));
  if (suite === undefined) throw notFound();
  return suite;
}

async function findBranchAt(repository: Repository, sha: string): Promise<string | null> {
  const [pull] = listPullsAt(repository, sha);
  if (pull !== undefined) return pull.headRef;
  const ref = (await listRefs(repository.git, "refs/heads/")).find((candidate) => candidate.sha === sha);
  return ref?.name.slice("refs/heads/".length) ?? null;
}

/** `filter=latest` (default) shows each name's newest run per suite. */
function selectChecks(c: ApiContext, runs: readonly CheckRun[]): CheckRun[] {
  const name = c.req.query("check_name");
  const status = c.req.query("status");
  const appId = c.req.query("app_id");
  const wanted = runs.filter(
    (run) => (name === undefined || run.name === name) && (appId === undefined || String(run.appId) === appId),
  );
  const shown = c.req.query("filter") === "all" ? wanted : listLatestChecks(wanted);
  return shown.filter((run) => status === undefined || run.status === status).toSorted((a, b) => b.id - a.id);
}

/** A suite keeps so many check runs of one name, then the oldest go. https://docs.github.com/en/rest/checks/runs#create-a-check-run */
const MAX_SAME_NAME = 1000;

function dropOldest(repository: Repository, added: CheckRun): void {
  const same = [...repository.checkRuns.values()].filter(
    (run) => run.suiteId === added.suiteId && run.name === added.name,
  );
  for (const run of same.slice(0, Math.max(0, same.length - MAX_SAME_NAME))) repository.checkRuns.delete(run.id);
}

/** https://docs.github.com/en/rest/checks/runs */
export function addCheckRunRoutes(routes: ApiRoutes, services: Services): void {
  const { urls, world } = services;

  routes.post("/repos/:owner/:repo/check-runs", async (c) => {
    const repository = enter(services, c, NEED.writeChecks);
    const actor = readActor(c);
    const appId = deriveAppId(world, actor);
    if (appId === null) throw forbidden("You must authenticate via a GitHub App.");
    const body = await readBody(c);
    const name = body.string("name");
    const headSha = body.string("head_sha");
    if ((await readCommit(repository.git, headSha)) === null) {
      throw unprocessable(`No commit found for SHA: ${headSha}`);
    }
    const fields = parseCheckRequest(body, "create");
    const suite =
      findSuiteOf(repository, appId, headSha) ??
      ensureSuite(services, repository, {
        appId,
        headSha,
        headBranch: await findBranchAt(repository, headSha),
        before: null,
      });
    const now = world.now();
    const run: CheckRun = {
      id: world.ids.take("checkRun"),
      suiteId: suite.id,
      appId,
      headSha,
      name,
      externalId: "",
      detailsUrl: null,
      status: "queued",
      conclusion: null,
      startedAt: now,
      completedAt: null,
      title: null,
      summary: null,
      text: null,
      annotations: [],
      actions: [],
    };
    applyCheckFields(run, fields, now);
    suite.updatedAt = now;
    repository.checkRuns.set(run.id, run);
    dropOldest(repository, run);
    await announceCheck(services, repository, run, { created: run.status, sender: actor.account });
    return c.json(serializeCheckRun(services, repository, run), 201);
  });

  routes.patch("/repos/:owner/:repo/check-runs/:id", async (c) => {
    const repository = enter(services, c, NEED.writeChecks);
    const actor = readActor(c);
    const run = findCheckRun(repository, c);
    if (run.appId !== deriveAppId(world, actor)) {
      throw forbidden(
        "Invalid app_id `" +
          String(deriveAppId(world, actor)) +
          "` - check run can only be modified by the GitHub App that created it.",
      );
    }
    const before = run.status;
    applyCheckFields(run, parseCheckRequest(await readBody(c), "update"), world.now());
    const suite = repository.checkSuites.get(run.suiteId);
    if (suite !== undefined) suite.updatedAt = world.now();
    if (run.status === "completed" && before !== "completed") {
      await announceCheck(services, repository, run, { created: null, sender: actor.account });
    }
    return c.json(serializeCheckRun(services, repository, run));
  });

  routes.get("/repos/:owner/:repo/check-runs/:id", (c) => {
    const repository = enter(services, c, NEED.readChecks);
    return c.json(serializeCheckRun(services, repository, findCheckRun(repository, c)));
  });

  routes.get("/repos/:owner/:repo/check-runs/:id/annotations", (c) => {
    const repository = enter(services, c, NEED.readChecks);
    const run = findCheckRun(repository, c);
    const page = formatRepositoryPage(urls, repository);
    return c.json(
      paginate(c, run.annotations).map((annotation) => ({
        ...annotation,
        blob_href: `${page}/blob/${run.headSha}/${encodePath(annotation.path)}`,
      })),
    );
  });

  routes.post("/repos/:owner/:repo/check-runs/:id/rerequest", async (c) => {
    const repository = enter(services, c, NEED.writeChecks);
    const run = findCheckRun(repository, c);
    await emitCheckRun(services, repository, run, { action: "rerequested", sender: readActor(c).account });
    return c.json({}, 201);
  });

  routes.get("/repos/:owner/:repo/commits/:ref{.+}/check-runs", async (c) => {
    const repository = enter(services, c, NEED.readChecks);
    const sha = await resolveRevision(repository, readParam(c, "ref"));
    if (sha === null) throw unprocessable(`No commit found for SHA: ${readParam(c, "ref")}`);
    const runs = selectChecks(
      c,
      [...repository.checkRuns.values()].filter((run) => run.headSha === sha),
    );
    return c.json({
      total_count: runs.length,
      check_runs: paginate(c, runs).map((run) => serializeCheckRun(services, repository, run)),
    });
  });

  routes.get("/repos/:owner/:repo/commits/:ref{.+}/check-suites", async (c) => {
    const repository = enter(services, c, NEED.readChecks);
    const sha = await resolveRevision(repository, readParam(c, "ref"));
    if (sha === null) throw unprocessable(`No commit found for SHA: ${readParam(c, "ref")}`);
    const appId = c.req.query("app_id");
    const suites = [...repository.checkSuites.values()].filter(
      (suite) => suite.headSha === sha && (appId === undefined || String(suite.appId) === appId),
    );
    const shown = await Promise.all(paginate(c, suites).map((suite) => loadCheckSuite(services, repository, suite)));
    return c.json({ total_count: suites.length, check_suites: shown });
  });

  routes.get("/repos/:owner/:repo/check-suites/:id", async (c) => {
    const repository = enter(services, c, NEED.readChecks);
    return c.json(await loadCheckSuite(services, repository, findSuite(repository, c)));
  });

  routes.get("/repos/:owner/:repo/check-suites/:id/check-runs", (c) => {
    const repository = enter(services, c, NEED.readChecks);
    const suite = findSuite(repository, c);
    const runs = selectChecks(
      c,
      [...repository.checkRuns.values()].filter((run) => run.suiteId === suite.id),
    );
    return c.json({
      total_count: runs.length,
      check_runs: paginate(c, runs).map((run) => serializeCheckRun(services, repository, run)),
    });
  });

  routes.post("/repos/:owner/:repo/check-suites/:id/rerequest", async (c) => {
    const repository = enter(services, c, NEED.writeChecks);
    const suite = findSuite(repository, c);
    await emitSuite(services, repository, suite, { action: "rerequested", sender: readActor(c).account });
    return c.json({}, 201);
  });
}
