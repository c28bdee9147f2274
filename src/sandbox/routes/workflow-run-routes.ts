import { type ApiContext, type ApiRoutes, NEED, enter, readNumber } from "../http/api-context.ts";
import { paginate } from "../http/paginate.ts";
import { HttpProblem, notFound } from "../http-problem.ts";
import { readCommit } from "../git/commit-object.ts";
import { completeRun } from "../runs/execute-run.ts";
import { serializeJob, serializeRun } from "../serialize/serialize-run.ts";
import type { Services } from "../services.ts";
import type { Repository } from "../state/repository.ts";
import type { WorkflowRun } from "../state/workflow-run.ts";
import type { Schema } from "../view.ts";

/** https://docs.github.com/en/rest/actions/workflow-runs#list-workflow-runs-for-a-repository: at most 1,000 results with filters. */
const MAX_FILTERED = 1000;

export function findRun(repository: Repository, c: ApiContext): WorkflowRun {
  const run = repository.runs.get(readNumber(c, "run"));
  if (run === undefined) throw notFound();
  return run;
}

/** `created` is a date, `>=date`, `<date` or `from..to`. https://docs.github.com/en/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax#query-for-dates */
function matchesCreated(filter: string, at: number): boolean {
  const range = /^(.+)\.\.(.+)$/.exec(filter);
  if (range !== null) {
    const from = range[1] === "*" ? -Infinity : Date.parse(range[1] ?? "");
    const to = range[2] === "*" ? Infinity : Date.parse(range[2] ?? "");
    return at >= from && at <= to;
  }
  const compared = /^(>=|<=|>|<)?(.+)$/.exec(filter);
  const value = Date.parse(compared?.[2] ?? "");
  const seconds = Math.floor(at / 1000) * 1000;
  switch (compared?.[1]) {
    case ">=":
      return seconds >= value;
    case "<=":
      return seconds <= value;
    case ">":
      return seconds > value;
    case "<":
      return seconds < value;
    default:
      return new Date(at).toISOString().startsWith(filter);
  }
}

function selectRuns(c: ApiContext, runs: readonly WorkflowRun[]): WorkflowRun[] {
  const { branch, event, status, created, head_sha: headSha, actor } = c.req.query();
  const filtered = [branch, event, status, created, headSha, actor].some((value) => value !== undefined);
  const found = runs
    .filter((run) => branch === undefined || run.headBranch === branch)
    .filter((run) => event === undefined || run.event === event)
    .filter((run) => status === undefined || run.status === status || run.conclusion === status)
    .filter((run) => headSha === undefined || run.headSha === headSha)
    .filter((run) => actor === undefined || run.actor.login === actor)
    .filter((run) => created === undefined || matchesCreated(created, run.createdAt))
    .toSorted((a, b) => b.id - a.id);
  return filtered ? found.slice(0, MAX_FILTERED) : found;
}

/** https://docs.github.com/en/rest/actions/workflow-runs, …/workflow-jobs */
export function addWorkflowRunRoutes(routes: ApiRoutes, services: Services): void {
  const { urls } = services;

  async function show(repository: Repository, run: WorkflowRun): Promise<Schema<"workflow-run">> {
    return serializeRun(urls, repository, run, await readCommit(repository.git, run.headSha));
  }

  async function list(c: ApiContext, repository: Repository, runs: readonly WorkflowRun[]): Promise<Response> {
    const selected = selectRuns(c, runs);
    const page = await Promise.all(paginate(c, selected).map((run) => show(repository, run)));
    return c.json({ total_count: selected.length, workflow_runs: page });
  }

  routes.get("/repos/:owner/:repo/actions/runs", (c) => {
    const repository = enter(services, c, NEED.readActions);
    return list(c, repository, [...repository.runs.values()]);
  });

  routes.get("/repos/:owner/:repo/actions/workflows/:workflow/runs", (c) => {
    const repository = enter(services, c, NEED.readActions);
    const wanted = c.req.param("workflow");
    const workflow = [...repository.workflows.values()].find(
      ({ id, path }) => String(id) === wanted || path.endsWith(`/${wanted}`),
    );
    if (workflow === undefined) throw notFound();
    return list(
      c,
      repository,
      [...repository.runs.values()].filter((run) => run.workflowId === workflow.id),
    );
  });

  routes.get("/repos/:owner/:repo/actions/runs/:run", async (c) => {
    const repository = enter(services, c, NEED.readActions);
    return c.json(await show(repository, findRun(repository, c)));
  });

  routes.get("/repos/:owner/:repo/actions/runs/:run/jobs", (c) => {
    const repository = enter(services, c, NEED.readActions);
    const run = findRun(repository, c);
    const jobs = [...repository.jobs.values()].filter((job) => job.runId === run.id);
    return c.json({
      total_count: jobs.length,
      jobs: paginate(c, jobs).map((job) => serializeJob(urls, repository, run, job)),
    });
  });

  routes.get("/repos/:owner/:repo/actions/jobs/:job", (c) => {
    const repository = enter(services, c, NEED.readActions);
    const job = repository.jobs.get(readNumber(c, "job"));
    const run = job === undefined ? undefined : repository.runs.get(job.runId);
    if (job === undefined || run === undefined) throw notFound();
    return c.json(serializeJob(urls, repository, run, job));
  });

  routes.get("/repos/:owner/:repo/actions/jobs/:job/logs", (c) => {
    const repository = enter(services, c, NEED.readActions);
    const job = repository.jobs.get(readNumber(c, "job"));
    if (job === undefined) throw notFound();
    return c.redirect(`${urls.html}/_signed/logs/${job.id}`, 302);
  });

  // Cancelling only asks: the run goes on until its processes have ended.
  // https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-cancellation
  routes.post("/repos/:owner/:repo/actions/runs/:run/cancel", async (c) => {
    const repository = enter(services, c, NEED.writeActions);
    const run = findRun(repository, c);
    if (run.status === "completed") throw new HttpProblem(409, "Cannot cancel a workflow run that is completed.");
    run.abort.abort();
    if (services.runs.withdraw(run)) await completeRun(services, repository, run, "cancelled");
    return c.json({}, 202);
  });
}
