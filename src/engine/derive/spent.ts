/** What jobs have cost, as sums that grow with each of them. */
import type { JobState, Spent } from "../state.ts";
import { isAgentJob } from "./agent-job.ts";

export const NOTHING_SPENT: Spent = {
  agentRuns: 0,
  tokens: 0,
  usd: 0,
  unknown: 0,
  unknownTokens: 0,
  unknownUsd: 0,
  jobMs: 0,
};

/** What one job has cost as far as anybody knows. */
export function measureJob(job: JobState): Spent {
  const jobMs = job.endedAt === null ? 0 : job.endedAt - job.dispatchedAt;
  if (!isAgentJob(job.subject)) return { ...NOTHING_SPENT, jobMs };
  const { usage } = job;
  // A provider that refused served nothing: its reservation is released.
  const refused = job.outcome === "external" && usage === null;
  return {
    // An outage is nobody's try. Where only a person helps, or nobody knows what does, an agent was started.
    agentRuns: refused && job.remedy?.kind === "wait" ? 0 : 1,
    tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    usd: usage?.usd ?? 0,
    unknown: count(!refused && usage === null),
    unknownTokens: count(!refused && (usage === null || usage.inputTokens === null || usage.outputTokens === null)),
    unknownUsd: count(!refused && (usage === null || usage.usd === null)),
    jobMs,
  };
}

function count(isSo: boolean): number {
  return isSo ? 1 : 0;
}

export function addSpent(some: Spent, more: Spent): Spent {
  return combine(some, more, 1);
}

/** The sum once a job that was counted while it was open has ended: open jobs have cost no money yet, so nothing is rounded. */
export function replaceSpent(sum: Spent, before: JobState, after: JobState): Spent {
  return addSpent(combine(sum, measureJob(before), -1), measureJob(after));
}

function combine(some: Spent, more: Spent, sign: 1 | -1): Spent {
  return {
    agentRuns: some.agentRuns + sign * more.agentRuns,
    tokens: some.tokens + sign * more.tokens,
    usd: some.usd + sign * more.usd,
    unknown: some.unknown + sign * more.unknown,
    unknownTokens: some.unknownTokens + sign * more.unknownTokens,
    unknownUsd: some.unknownUsd + sign * more.unknownUsd,
    jobMs: some.jobMs + sign * more.jobMs,
  };
}
