import type { ChunkId } from "../../contracts/ids.ts";
import type { JobState, RunState } from "../state.ts";
import { isAgentJob } from "./agent-job.ts";
import { once } from "./once.ts";

export interface Spent {
  readonly agentRuns: number;
  readonly tokens: number;
  readonly usd: number;
  /** Agent jobs nobody knows anything about yet, or ever. */
  readonly unknown: number;
  /** Agent jobs whose tokens, or whose money, is not known: not every program tells both. */
  readonly unknownTokens: number;
  readonly unknownUsd: number;
  /** How long jobs have run, those of floors too; from dispatch to end, so waiting for a runner counts. */
  readonly jobMs: number;
}

export function deriveSpent(state: RunState): Spent {
  return sumAll(state.jobs);
}

const sumAll = once((jobs: RunState["jobs"]): Spent => sumJobs(Object.values(jobs)));

/** @param attempt its number; null = everything the chunk has cost. Candidates belong to no single chunk. */
export function deriveChunkSpent(state: RunState, chunk: ChunkId, attempt: number | null = null): Spent {
  return sumJobs(
    Object.values(state.jobs).filter((job) => isOfChunk(job, chunk) && (attempt === null || job.attemptOf === attempt)),
  );
}

function isOfChunk({ subject }: JobState, chunk: ChunkId): boolean {
  switch (subject.role) {
    case "implement":
    case "review":
      return subject.chunk === chunk;
    case "floor":
      return subject.subject === `chunk-${chunk}`;
    case "baseline":
    case "plan":
    case "plan-review":
    case "final-review":
      return false;
  }
}

function sumJobs(jobs: readonly JobState[]): Spent {
  const spent = { agentRuns: 0, tokens: 0, usd: 0, unknown: 0, unknownTokens: 0, unknownUsd: 0, jobMs: 0 };
  for (const job of jobs) {
    spent.jobMs += job.endedAt === null ? 0 : job.endedAt - job.dispatchedAt;
    if (!isAgentJob(job.subject)) continue;
    spent.agentRuns += 1;
    const { usage } = job;
    spent.tokens += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    spent.usd += usage?.usd ?? 0;
    // A provider that refused served nothing: its reservation is released.
    if (job.outcome === "external" && usage === null) continue;
    if (usage === null) spent.unknown += 1;
    if (usage === null || usage.inputTokens === null || usage.outputTokens === null) spent.unknownTokens += 1;
    if (usage === null || usage.usd === null) spent.unknownUsd += 1;
  }
  return spent;
}

/**
 * Why no further agent may be started, or null. What an open or silent job may have cost counts as its
 * reserved worst case, and so does the job that is asked about.
 * @param planned agents that are about to be started beside it.
 */
export function deriveBudget(state: RunState, planned = 0): string | null {
  const { budget } = state.run.config;
  const known = deriveSpent(state);
  const spent = {
    agentRuns: known.agentRuns + planned,
    tokens: known.tokens + (known.unknownTokens + planned + 1) * budget.reserve_tokens,
    usd: known.usd + (known.unknownUsd + planned + 1) * budget.reserve_usd,
  };
  const tooMany = (limit: number, used: number, reserve: number): boolean =>
    limit > 0 && (reserve > 0 ? used > limit : used >= limit);
  if (budget.agent_runs > 0 && spent.agentRuns >= budget.agent_runs)
    return `the budget of ${budget.agent_runs} agent runs is used up`;
  if (tooMany(budget.tokens, spent.tokens, budget.reserve_tokens))
    return `the budget of ${budget.tokens} tokens is used up`;
  if (tooMany(budget.usd, spent.usd, budget.reserve_usd)) return `the budget of ${budget.usd} USD is used up`;
  if (budget.wall_minutes > 0 && state.at - state.startedAt >= budget.wall_minutes * 60_000)
    return `the run has taken its ${budget.wall_minutes} minutes`;
  return null;
}
