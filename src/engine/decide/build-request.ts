import type { ChunkId, Sha } from "../../contracts/ids.ts";
import type { JobRequest } from "../../contracts/job.ts";
import { formatBranch, type JobSubject } from "../../contracts/names.ts";
import { formatPlan } from "../../plan/build-plan.ts";
import type { DocumentText, JobDocuments } from "../action.ts";
import { once } from "../derive/once.ts";
import type { ChunkState, PlanRevision, RunState } from "../state.ts";

/** The parts every request has. */
export function buildRequest(
  state: RunState,
  subject: JobSubject,
  job: string,
  commit: Sha,
  planRev: number,
): Omit<JobRequest, "documents"> {
  return { v: 1, role: subject.role, run: state.run.run, job, planRev, commit, tools: state.run.tools };
}

/** The configuration and the intent, by their blobs; nothing else. */
export function buildDocuments(state: RunState): JobDocuments {
  return {
    config: state.run.configBlob === null ? null : { kind: "blob", sha: state.run.configBlob },
    intent: state.integration === null ? null : { kind: "blob", sha: state.integration.intentBlob },
    plan: null,
    feedback: null,
  };
}

/** A committed plan's file: its text is the plan as `formatPlan` writes it. */
export function buildPlanDocument(revision: PlanRevision): DocumentText {
  return formatDocument(revision.plan);
}

/** Long, and the same for every job of a revision. */
const formatDocument = once((plan: PlanRevision["plan"]): DocumentText => ({
  kind: "committed",
  text: formatPlan(plan),
}));

export function formatIntegration(state: RunState): string {
  return formatBranch({ kind: "integration", run: state.run.run });
}

export function formatChunkBranch(state: RunState, chunk: ChunkId): string {
  return formatBranch({ kind: "chunk", run: state.run.run, chunk });
}

/** Opening a chunk's next pull request. */
export function formatPullEffect(chunk: ChunkState): string {
  return `pull:${chunk.id}:${chunk.pulls.length + 1}`;
}
