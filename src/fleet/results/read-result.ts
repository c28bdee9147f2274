/** The artifact of a finished job, as far as it can be believed. */
import {
  RESULT_ARTIFACT,
  RESULT_FILE,
  RESULT_MAX_BYTES,
  type JobResult,
  jobResultSchema,
} from "../../contracts/job.ts";
import type { JobState } from "../../engine/state.ts";
import type { RepositoryPort } from "../../github/port.ts";

export type ResultReading =
  | { readonly outcome: "result"; readonly result: JobResult }
  /** The artifact is there and cannot be used: the fault of what ran in the job. */
  | { readonly outcome: "garbage"; readonly reason: string }
  | { readonly outcome: "missing" };

export async function readResult(repository: RepositoryPort, job: JobState, runId: number): Promise<ResultReading> {
  const artifact = await repository.loadArtifact(runId, RESULT_ARTIFACT, RESULT_FILE, RESULT_MAX_BYTES);
  if (artifact.outcome === "missing") return { outcome: "missing" };
  if (artifact.outcome === "refused")
    return { outcome: "garbage", reason: `its artifact was refused: ${artifact.reason}` };
  let value: unknown;
  try {
    value = JSON.parse(artifact.text) as unknown;
  } catch {
    return { outcome: "garbage", reason: "its artifact is no JSON" };
  }
  const parsed = jobResultSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined ? "" : ` at /${issue.path.map(String).join("/")}: ${issue.message}`;
    return { outcome: "garbage", reason: `its artifact is not a job's result${place}` };
  }
  if (parsed.data.job !== job.job || parsed.data.role !== job.subject.role)
    return { outcome: "garbage", reason: "its artifact answers another job" };
  return { outcome: "result", result: parsed.data };
}
