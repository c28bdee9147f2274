import { formatCode } from "../../contracts/markdown.ts";
import type { JobSubject } from "../../contracts/names.ts";
import type { JobId } from "../../contracts/ids.ts";
import type { JobState, RunState } from "../../engine/state.ts";
import { listChunksOfJob } from "../../engine/derive/chunks-of.ts";
import type { Links } from "../links.ts";
import { findRow } from "../../engine/table.ts";
import { formatList } from "./amounts.ts";

/** What a job does, as Markdown. */
export function formatJobWords(subject: JobSubject, state: RunState): string {
  switch (subject.role) {
    case "baseline":
      return "capturing the baseline";
    case "plan":
      return "writing the plan";
    case "plan-review":
      return `reviewing the plan for ${subject.lens}`;
    case "implement":
      return `implementing ${formatCode(subject.chunk)}`;
    case "review":
      return `reviewing ${formatCode(subject.chunk)}`;
    case "final-review":
      return "reviewing the whole feature";
    case "floor":
      return `running the floor on ${formatFloorSubject(subject, state)}`;
  }
}

function formatFloorSubject(subject: Extract<JobSubject, { role: "floor" }>, state: RunState): string {
  if (subject.subject.startsWith("accept-")) return "the whole feature";
  const chunks = listChunksOfJob(subject, state);
  const names = formatList(chunks.map(formatCode), 6);
  if (subject.subject.startsWith("chunk-")) return names;
  return chunks.length === 0 ? "a candidate" : `a candidate of ${names}`;
}

/** The workflow run's address, or null while nobody knows it. */
export function findRunLink(job: JobState | undefined, links: Links): string | null {
  if (job === undefined) return null;
  return job.url ?? (job.runId === null ? null : links.run(job.runId));
}

/** The number of the workflow run that gave a result, else the job's own name; null when there is no result. */
export function formatRun(state: RunState, result: { readonly job: JobId } | null): string | null {
  return result === null ? null : `${findRow(state.jobs, result.job)?.runId ?? result.job}`;
}
