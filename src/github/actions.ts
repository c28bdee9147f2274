import { GitHubFailure } from "../contracts/errors.ts";
import { parseRunName, WORKFLOW_PATH } from "../contracts/names.ts";
import { dispatchWorkflow } from "./dispatch-workflow.ts";
import { loadArtifact } from "./load-artifact.ts";
import { loadPages } from "./load-pages.ts";
import { parseWorkflowRun } from "./parse-workflow-run.ts";
import type { RepositoryPort, WorkflowRun } from "./port.ts";
import type { RepositoryClient } from "./repository-client.ts";
import type { Download } from "./download.ts";

type Actions = Pick<
  RepositoryPort,
  | "loadWorkflow"
  | "loadWorkflowRun"
  | "loadWorkflowRuns"
  | "loadRunsOfCommit"
  | "loadArtifact"
  | "dispatchWorkflow"
  | "cancelRun"
>;

export function createActions(client: RepositoryClient, download: Download): Actions {
  return {
    async loadWorkflow(path) {
      const answer = await client.find("GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}", {
        workflow_id: formatWorkflowId(path),
      });
      return answer === null ? null : { state: answer.data.state };
    },
    async loadWorkflowRun(id) {
      const answer = await client.find(
        "GET /repos/{owner}/{repo}/actions/runs/{run_id}",
        { run_id: id },
        { conditional: true, patience: "always" },
      );
      return answer === null ? null : parseWorkflowRun(answer.data);
    },
    async loadWorkflowRuns(job, since) {
      const runs = await loadOurRuns(client, since);
      return runs.filter((run) => parseRunName(run.title) === job).sort((a, b) => a.id - b.id);
    },
    async loadRunsOfCommit(sha) {
      const pages = await loadPages(
        client,
        "GET /repos/{owner}/{repo}/actions/runs",
        { head_sha: sha },
        { conditional: true },
      );
      return pages.flatMap((page) => page.data.workflow_runs).map(parseWorkflowRun);
    },
    loadArtifact: (runId, name, file, maxBytes) => loadArtifact(client, download, { runId, name, file, maxBytes }),
    dispatchWorkflow: ({ path, ref, inputs }) =>
      dispatchWorkflow(client, { workflow: formatWorkflowId(path), ref, inputs }),
    async cancelRun(id) {
      try {
        await client.send("POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel", { run_id: id });
      } catch (error) {
        // 409: it is over; 404: it was deleted.
        const over = error instanceof GitHubFailure && error.kind === "conflict";
        if (!over || ![404, 409].includes(error.details.status ?? 0)) throw error;
      }
    },
  };
}

/** Runs are listed newest first, at most 1,000 (docs.github.com/en/rest/actions/workflow-runs). */
async function loadOurRuns(client: RepositoryClient, since: number): Promise<readonly WorkflowRun[]> {
  try {
    const pages = await loadPages(
      client,
      "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
      {
        workflow_id: formatWorkflowId(WORKFLOW_PATH),
        event: "workflow_dispatch",
        created: `>=${new Date(since).toISOString().slice(0, 19)}Z`,
      },
      { conditional: true },
    );
    return pages.flatMap((page) => page.data.workflow_runs).map(parseWorkflowRun);
  } catch (error) {
    // Without the workflow there are no runs of it.
    if (error instanceof GitHubFailure && error.kind === "conflict" && error.details.status === 404) return [];
    throw error;
  }
}

/** The API takes the file's name, not its path. */
function formatWorkflowId(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
