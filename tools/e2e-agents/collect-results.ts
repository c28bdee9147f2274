/** Every job's result of a run on the local GitHub, by the job's id. */
import { strFromU8, unzipSync } from "fflate";
import type { StageView } from "../../src/cli/demo/demo-options.ts";
import { createReader } from "../../src/cli/demo/github-reader.ts";
import { RESULT_ARTIFACT, RESULT_FILE, type JobResult, jobResultSchema } from "../../src/contracts/job.ts";
import { parseRunName } from "../../src/contracts/names.ts";

export async function collectResults(stage: StageView): Promise<ReadonlyMap<string, JobResult>> {
  const { apiUrl, maintainerToken, owner, repository } = stage;
  const reader = createReader({ apiUrl, token: maintainerToken, owner, repository });
  const { actions } = reader.octokit.rest;
  const results = new Map<string, JobResult>();
  for (const run of await reader.listRuns()) {
    const job = parseRunName(run.display_title);
    if (job === null) continue;
    const { data } = await actions.listWorkflowRunArtifacts({ ...reader.at, run_id: run.id });
    const artifact = data.artifacts.find((one) => one.name === RESULT_ARTIFACT);
    if (artifact === undefined) continue;
    const download = await actions.downloadArtifact({ ...reader.at, artifact_id: artifact.id, archive_format: "zip" });
    const file = unzipSync(new Uint8Array(download.data as ArrayBuffer))[RESULT_FILE];
    if (file !== undefined) results.set(job, jobResultSchema.parse(JSON.parse(strFromU8(file))));
  }
  return results;
}
