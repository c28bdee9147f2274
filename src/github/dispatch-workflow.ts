import { GitHubFailure } from "../contracts/errors.ts";
import type { RepositoryClient } from "./repository-client.ts";

const route = "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches";

interface Dispatch {
  readonly workflow: string;
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Starts a workflow. API version 2026-03-10 always answers 200 with the run; before, it had to be
 * asked for (github.blog/changelog/2026-02-19-workflow-dispatch-api-now-returns-run-ids), and GitHub
 * Enterprise Server up to 3.20 refuses the question with 400. Without details: 204.
 *
 * @returns the run's id, where GitHub tells it.
 */
export async function dispatchWorkflow(client: RepositoryClient, dispatch: Dispatch): Promise<number | null> {
  try {
    return await send(client, dispatch);
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.details.status !== 404 || error.kind === "dormant") throw error;
    throw new GitHubFailure(
      "misconfigured",
      `The workflow ${dispatch.workflow} is not on the default branch (or GitHub has not seen it yet).`,
      error.details,
    );
  }
}

async function send(client: RepositoryClient, { workflow, ref, inputs }: Dispatch): Promise<number | null> {
  const parameters = { workflow_id: workflow, ref, inputs };
  try {
    const asked = client.apiVersion() === "2022-11-28" ? { return_run_details: true } : {};
    return readRunId(await client.send(route, { ...parameters, ...asked }));
  } catch (error) {
    // Refused before anything started: either the question was not understood, or the version was
    // (then the client has fallen back meanwhile and the question was missing).
    if (!(error instanceof GitHubFailure) || error.details.status !== 400) throw error;
    return readRunId(await client.send(route, parameters));
  }
}

function readRunId(answer: { readonly status: number; readonly data: unknown }): number | null {
  const { data } = answer;
  if (answer.status !== 200 || typeof data !== "object" || data === null || !("workflow_run_id" in data)) return null;
  return typeof data.workflow_run_id === "number" ? data.workflow_run_id : null;
}
