import { type ApiContext, type ApiRoutes, NEED, enter, readActor, readParam } from "../http/api-context.ts";
import { readApiVersion } from "../http/api-pipeline.ts";
import { paginate } from "../http/paginate.ts";
import { readBody } from "../http/read-body.ts";
import { describeOnce } from "../runs/describe-once.ts";
import { applyInputDefaults, validateDispatchInputs } from "../actions/dispatch-inputs.ts";
import { HttpProblem, notFound, unprocessable } from "../http-problem.ts";
import { readRef } from "../git/refs.ts";
import { createRun } from "../runs/create-run.ts";
import { ensureWorkflow, loadWorkflow, loadWorkflows } from "../runs/load-workflows.ts";
import { serializeWorkflow } from "../serialize/serialize-run.ts";
import { formatRepositoryPage, formatRepositoryUrl } from "../serialize/serialize-repository.ts";
import type { Services } from "../services.ts";
import type { Ref } from "../git/refs.ts";
import type { Repository } from "../state/repository.ts";
import type { Workflow } from "../state/workflow-run.ts";
import { buildPayload } from "../webhooks/emit-event.ts";

/** https://docs.github.com/en/rest/actions/workflows#create-a-workflow-dispatch-event */
const MAX_INPUTS = 25;

/** Workflows are those of the default branch, and those that have run before. */
async function findWorkflow(services: Services, c: ApiContext, repository: Repository): Promise<Workflow> {
  const wanted = readParam(c, "workflow");
  const tip = `refs/heads/${repository.defaultBranch}`;
  for (const { path } of await loadWorkflows(repository, tip)) ensureWorkflow(services, repository, path);
  const found = [...repository.workflows.values()].find(
    (workflow) => String(workflow.id) === wanted || workflow.path === wanted || workflow.path.endsWith(`/${wanted}`),
  );
  if (found === undefined) throw notFound();
  return found;
}

async function loadName(repository: Repository, workflow: Workflow): Promise<string> {
  const file = await loadWorkflow(repository, `refs/heads/${repository.defaultBranch}`, workflow.path);
  return file === null ? workflow.path : describeOnce(file).name;
}

/** A branch or tag; a commit is none. */
async function resolveRef(repository: Repository, name: string): Promise<Ref> {
  const full = name.startsWith("refs/") ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`];
  for (const candidate of full) {
    const ref = await readRef(repository.git, candidate);
    if (ref !== null) return ref;
  }
  throw unprocessable(`No ref found for: ${name}`);
}

function readInputs(raw: unknown): Record<string, string> {
  if (raw === undefined || raw === null) return {};
  if (typeof raw !== "object" || Array.isArray(raw))
    throw unprocessable("Invalid request.\n\nFor 'properties/inputs', inputs is not an object.");
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** https://docs.github.com/en/rest/actions/workflows */
export function addWorkflowRoutes(routes: ApiRoutes, services: Services): void {
  const { urls } = services;

  routes.get("/repos/:owner/:repo/actions/workflows", async (c) => {
    const repository = enter(services, c, NEED.readActions);
    const files = await loadWorkflows(repository, `refs/heads/${repository.defaultBranch}`);
    const workflows = files.map((file) => {
      const workflow = ensureWorkflow(services, repository, file.path);
      return serializeWorkflow(urls, repository, workflow, describeOnce(file).name);
    });
    return c.json({ total_count: workflows.length, workflows: paginate(c, workflows) });
  });

  routes.get("/repos/:owner/:repo/actions/workflows/:workflow", async (c) => {
    const repository = enter(services, c, NEED.readActions);
    const workflow = await findWorkflow(services, c, repository);
    return c.json(serializeWorkflow(urls, repository, workflow, await loadName(repository, workflow)));
  });

  routes.post("/repos/:owner/:repo/actions/workflows/:workflow/dispatches", async (c) => {
    const repository = enter(services, c, NEED.writeActions);
    const actor = readActor(c);
    const body = await readBody(c);
    const workflow = await findWorkflow(services, c, repository);
    if (!repository.actionsEnabled) throw new HttpProblem(403, "Actions has been disabled for this repository.");
    const ref = await resolveRef(repository, body.string("ref"));
    const inputs = readInputs(body.raw("inputs"));
    const file = await loadWorkflow(repository, ref.sha, workflow.path);
    // The copy on the ref decides, not the default branch's.
    const description = file === null ? null : describeOnce(file);
    if (file === null || description === null || description.triggers.dispatch === null) {
      throw unprocessable("Workflow does not have 'workflow_dispatch' trigger");
    }
    if (description.errors.length > 0) throw unprocessable(description.errors[0] ?? "Invalid workflow file");
    if (Object.keys(inputs).length > MAX_INPUTS)
      throw unprocessable(`you may only define up to ${MAX_INPUTS} \`inputs\` for a \`workflow_dispatch\` event`);
    const problem = validateDispatchInputs(description, inputs)[0];
    if (problem !== undefined) throw unprocessable(problem);
    const branch = ref.name.replace(/^refs\/(heads|tags)\//, "");
    const filled = applyInputDefaults(description, inputs);
    const run = await createRun(services, repository, {
      file,
      description,
      event: { name: "workflow_dispatch", inputs: filled },
      payload: buildPayload(services, repository, {
        event: "workflow_dispatch",
        action: null,
        sender: actor.account,
        payload: { inputs: filled, ref: ref.name, workflow: workflow.path },
      }),
      ref: ref.name,
      sha: ref.sha,
      headSha: ref.sha,
      headBranch: branch,
      pullNumbers: [],
      actor: actor.account,
    });
    // https://github.blog/changelog/2026-02-19-workflow-dispatch-api-now-returns-run-ids/
    const detailed = readApiVersion(c) === "2026-03-10" || body.flag("return_run_details");
    if (!detailed) return c.body(null, 204);
    return c.json({
      workflow_run_id: run.id,
      run_url: `${formatRepositoryUrl(urls, repository)}/actions/runs/${run.id}`,
      html_url: `${formatRepositoryPage(urls, repository)}/actions/runs/${run.id}`,
    });
  });
}
