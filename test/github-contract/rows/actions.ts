import { answers, gives } from "../behaviour.ts";
import { createBranch } from "../../sandbox/make-commits.ts";
import { type Area, CONTRACT_WORKFLOW, everywhere, type Ground, inSandbox, ON_PUSH, withWorkflow } from "../ground.ts";
import { DOCS, REPORTS } from "../links.ts";

interface Dispatch {
  readonly ref?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly return_run_details?: boolean;
}

const good = { role: "plan", request: "1" };

function dispatch({ octokit, repo, workflow, main }: Ground, fields: Dispatch, version = "2022-11-28") {
  return octokit.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
    ...repo,
    workflow_id: workflow,
    ref: main.name,
    inputs: { ...good },
    ...fields,
    headers: { "x-github-api-version": version },
  });
}

/** Dispatches and finds out the run's id. */
async function start(ground: Ground, fields: Dispatch = {}): Promise<number> {
  const { data } = await dispatch(ground, { ...fields, return_run_details: true });
  return (data as unknown as { readonly workflow_run_id: number }).workflow_run_id;
}

async function read({ octokit, repo }: Ground, id: number) {
  return (await octokit.rest.actions.getWorkflowRun({ ...repo, run_id: id })).data;
}

export const actions: Area = {
  title: "Workflow runs",
  rows: [
    withWorkflow("A dispatch tells nothing about its run.", {
      expected: answers(204),
      sources: [DOCS.dispatch],
      ask: (ground) => dispatch(ground, {}),
    }),
    withWorkflow("Unless it is asked to: then it names the run.", {
      expected: gives({ status: 200, id: true }),
      sources: [REPORTS.runIds],
      ask: async (ground) => {
        const { status, data } = await dispatch(ground, { return_run_details: true });
        const id = (data as unknown as { readonly workflow_run_id?: number }).workflow_run_id;
        return { status, id: typeof id === "number" };
      },
    }),
    withWorkflow("Since the API version 2026-03-10 it always does.", {
      expected: answers(200),
      sources: [REPORTS.runIds, "https://docs.github.com/en/rest/about-the-rest-api/breaking-changes"],
      ask: (ground) => dispatch(ground, {}, "2026-03-10"),
    }),
    withWorkflow("The run is on the tip of its branch, under the name its inputs give it.", {
      expected: gives({ event: "workflow_dispatch", tip: true, title: "contract 42" }),
      sources: ["https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#run-name"],
      ask: async (ground) => {
        const { name, sha } = await ground.branch();
        const id = await start(ground, { ref: name, inputs: { ...good, request: "42" } });
        const run = await ground.eventually(
          () => read(ground, id),
          (found) => found.display_title.startsWith("contract"),
        );
        return { event: run.event, tip: run.head_sha === sha, title: run.display_title };
      },
    }),
    withWorkflow("A commit is no branch to dispatch on.", {
      expected: answers(422, "No ref found for"),
      sources: [DOCS.dispatch],
      ask: (ground) => dispatch(ground, { ref: ground.main.sha }),
    }),
    inSandbox("an App may not change workflow files", "The branch's own copy of the workflow decides.", {
      expected: answers(422, "Workflow does not have 'workflow_dispatch' trigger"),
      sources: ["https://github.com/convictional/trigger-workflow-and-wait/issues/18", DOCS.dispatch],
      ask: async (ground) => {
        const name = ground.name();
        await createBranch(ground.as("writer"), name, { [CONTRACT_WORKFLOW.path]: "on: push\njobs: {}\n" });
        return dispatch(ground, { ref: name });
      },
    }),
    withWorkflow("An input that is not declared is refused.", {
      expected: answers(422, "Unexpected inputs provided"),
      sources: [REPORTS.dispatchWords],
      ask: (ground) => dispatch(ground, { inputs: { ...good, surprise: "x" } }),
    }),
    withWorkflow("A required input is required.", {
      expected: answers(422, "Required input 'request' not provided"),
      sources: [REPORTS.dispatchWords, DOCS.inputs],
      ask: (ground) => dispatch(ground, { inputs: { role: "plan" } }),
    }),
    withWorkflow("A choice is one of its options.", {
      expected: answers(422, "not in the list of allowed values"),
      sources: ["https://github.com/cli/cli/issues/5246", DOCS.inputs],
      ask: (ground) => dispatch(ground, { inputs: { ...good, role: "king" } }),
    }),
    withWorkflow("Twenty-five inputs at most.", {
      expected: answers(422),
      sources: [DOCS.dispatch],
      ask: (ground) =>
        dispatch(ground, { inputs: Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`input${n}`, "x"])) }),
    }),
    withWorkflow("65,535 characters of inputs at most.", {
      expected: answers(422),
      sources: [DOCS.inputs],
      ask: (ground) => dispatch(ground, { inputs: { ...good, request: "x".repeat(65_536) } }),
    }),
    everywhere("A workflow that is not there is 404.", {
      expected: answers(404),
      sources: [DOCS.dispatch],
      ask: (ground) => dispatch({ ...ground, workflow: "not-there.yml" }, {}),
    }),
    everywhere("A run that is not there is 404.", {
      expected: answers(404),
      sources: [`${DOCS.runs}#get-a-workflow-run`],
      ask: ({ octokit, repo }) => octokit.rest.actions.getWorkflowRun({ ...repo, run_id: 1 }),
    }),
    withWorkflow("A run that is over is not cancelled.", {
      expected: answers(409),
      sources: [`${DOCS.runs}#cancel-a-workflow-run`],
      ask: async (ground) => {
        const id = await start(ground);
        await ground.eventually(
          () => read(ground, id),
          ({ status }) => status === "completed",
        );
        return ground.octokit.rest.actions.cancelWorkflowRun({ ...ground.repo, run_id: id });
      },
    }),
    withWorkflow("Runs are listed newest first.", {
      expected: gives(true),
      sources: [`${DOCS.runs}#list-workflow-runs-for-a-repository`],
      ask: async (ground) => {
        const { name } = await ground.branch();
        const ids = [await start(ground, { ref: name }), await start(ground, { ref: name })];
        const list = await ground.eventually(
          async () =>
            (await ground.octokit.rest.actions.listWorkflowRunsForRepo({ ...ground.repo, branch: name })).data,
          ({ total_count: count }) => count === 2,
        );
        return list.workflow_runs.map(({ id }) => id).join() === ids.toReversed().join();
      },
    }),
    withWorkflow("The checks of a dispatched run belong to no pull request.", {
      expected: gives([0]),
      sources: [REPORTS.dispatchedChecks],
      ask: async (ground) => {
        const pull = await ground.pull();
        await start(ground, { ref: pull.name });
        const { check_runs: runs } = await ground.eventually(
          async () => (await ground.octokit.rest.checks.listForRef({ ...ground.repo, ref: pull.sha })).data,
          ({ check_runs: found }) => found.some(({ name }) => name === "work"),
        );
        return runs.filter(({ name }) => name === "work").map(({ pull_requests: pulls }) => pulls.length);
      },
    }),
    inSandbox("Actions would be disabled", "Where Actions is disabled nothing is dispatched.", {
      expected: answers(403),
      sources: [
        "https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/enabling-features-for-your-repository/managing-github-actions-settings-for-a-repository",
      ],
      ask: async (ground) => {
        const there = await ground.elsewhere({});
        const repository = there.sandbox.world.findRepository(there.repo.owner, there.repo.repo);
        if (repository !== null) repository.actionsEnabled = false;
        return dispatch(there, {});
      },
    }),
    inSandbox("it needs a workflow on every push", "A commit with the trailer skip-checks starts no workflow.", {
      expected: gives([1, 1]),
      sources: [DOCS.skipping],
      ask: async (ground) => {
        const there = await ground.elsewhere({}, ON_PUSH);
        const push = async (message: string): Promise<number> => {
          const { data } = await there.octokit.rest.git.getCommit({ ...there.repo, commit_sha: there.main.sha });
          const commit = await there.octokit.rest.git.createCommit({
            ...there.repo,
            message,
            tree: data.tree.sha,
            parents: [there.main.sha],
          });
          await there.octokit.rest.git.createRef({
            ...there.repo,
            ref: `refs/heads/${there.name()}`,
            sha: commit.data.sha,
          });
          await there.sandbox.idle();
          return (await there.octokit.rest.actions.listWorkflowRunsForRepo({ ...there.repo, event: "push" })).data
            .total_count;
        };
        return [await push("Change"), await push("Change quietly\n\n\nskip-checks: true")];
      },
    }),
  ],
};
