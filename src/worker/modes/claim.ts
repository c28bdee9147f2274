/**
 * Mode `claim`: ends a doubled run. A dispatch whose answer never came is sent again, so two runs may
 * carry one job; the older one does the work. Runs are found by their name, which carries the job.
 */
import { appendFile } from "node:fs/promises";
import { parseRunName } from "../../contracts/names.ts";
import type { WorkerEnvironment } from "../environment.ts";
import { log, logWarning } from "../log.ts";
import { createRestClient, type RestClient } from "../rest-client.ts";

interface ListedRun {
  readonly id: number;
  readonly display_title: string;
}

/** A double is dispatched minutes after the first: it cannot be further down the list than this. */
const pages = 5;

export async function claim(environment: WorkerEnvironment): Promise<void> {
  const duplicate = await isDuplicate(environment);
  log(duplicate ? "An older run carries this job: nothing to do here." : "This run carries the job.");
  if (environment.outputFile !== null) await appendFile(environment.outputFile, `duplicate=${duplicate}\n`);
}

async function isDuplicate(environment: WorkerEnvironment): Promise<boolean> {
  if (environment.token === null) {
    logWarning("no token was given, so doubled runs cannot be told");
    return false;
  }
  const client = createRestClient(environment.apiUrl, environment.token);
  try {
    for (let page = 1; page <= pages; page += 1) {
      const runs = await loadRuns(client, environment, page);
      if (runs.some((run) => run.id < environment.runId && parseRunName(run.display_title) === environment.job))
        return true;
      if (runs.length < 100) return false;
    }
  } catch (error) {
    // Doing the work twice costs money, not doing it at all costs the run.
    logWarning(`doubled runs cannot be told: ${error instanceof Error ? error.message : "unknown failure"}`);
  }
  return false;
}

/** docs.github.com/en/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow: newest first. */
async function loadRuns(
  client: RestClient,
  environment: WorkerEnvironment,
  page: number,
): Promise<readonly ListedRun[]> {
  const query = new URLSearchParams({ event: "workflow_dispatch", per_page: "100", page: String(page) });
  if (environment.refName !== "") query.set("branch", environment.refName);
  const file = encodeURIComponent(environment.workflowFile);
  const response = await client.get(
    `/repos/${environment.repository}/actions/workflows/${file}/runs?${query.toString()}`,
    "application/vnd.github+json",
  );
  if (!response.ok) throw new Error(`listing the workflow's runs answered with status ${response.status}`);
  const body = (await response.json()) as { workflow_runs?: readonly ListedRun[] };
  return body.workflow_runs ?? [];
}
