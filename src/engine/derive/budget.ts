import type { ChunkId } from "../../contracts/ids.ts";
import type { JobState, RunState, Spent } from "../state.ts";
import { once } from "./once.ts";
import { addSpent, measureJob, NOTHING_SPENT } from "./spent.ts";

export type { Spent } from "../state.ts";

export function deriveSpent(state: RunState): Spent {
  return state.spent;
}

/** @param attempt its number; null = everything the chunk has cost. Candidates belong to no single chunk. */
export function deriveChunkSpent(state: RunState, chunk: ChunkId, attempt: number | null = null): Spent {
  return sumJobs(
    state.jobs.rows.filter((job) => isOfChunk(job, chunk) && (attempt === null || job.attemptOf === attempt)),
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

/** Chunks of a plan have a handful of jobs each; a run's own sum is kept with its state. */
function sumJobs(jobs: readonly JobState[]): Spent {
  return jobs.reduce((sum, job) => addSpent(sum, measureJob(job)), NOTHING_SPENT);
}

/**
 * Why no further agent may be started, or null. What an open or silent job may have cost counts as its
 * reserved worst case, and so does the job that is asked about.
 * @param now milliseconds since 1970: time passes also while nothing happens.
 * @param planned agents that are about to be started beside it.
 */
export function deriveBudget(state: RunState, now: number, planned = 0): string | null {
  return judgeBudget(state, now, planned + countDoubtful(state.pending));
}

/** The same, whatever becomes of agents of which it is not known yet whether they started: people are asked once. */
export function deriveUsedBudget(state: RunState, now: number): string | null {
  return judgeBudget(state, now, 0);
}

/** @param more agents beside those that are known. */
function judgeBudget(state: RunState, now: number, more: number): string | null {
  const { budget } = state.run.config;
  const known = deriveSpent(state);
  const spent = {
    agentRuns: known.agentRuns + more,
    tokens: known.tokens + (known.unknownTokens + more + 1) * budget.reserve_tokens,
    usd: known.usd + (known.unknownUsd + more + 1) * budget.reserve_usd,
  };
  const tooMany = (limit: number, used: number, reserve: number): boolean =>
    limit > 0 && (reserve > 0 ? used > limit : used >= limit);
  if (budget.agent_runs > 0 && spent.agentRuns >= budget.agent_runs)
    return `the budget of ${budget.agent_runs} agent runs is used up`;
  if (tooMany(budget.tokens, spent.tokens, budget.reserve_tokens))
    return `the budget of ${budget.tokens} tokens is used up`;
  if (tooMany(budget.usd, spent.usd, budget.reserve_usd)) return `the budget of ${budget.usd} USD is used up`;
  if (budget.wall_minutes > 0 && now - state.startedAt >= budget.wall_minutes * 60_000)
    return `the run has taken its ${budget.wall_minutes} minutes`;
  return null;
}

/** Agents that may have been started without our knowing it: their jobs are not recorded yet. */
const countDoubtful = once(
  (pending: RunState["pending"]) => Object.values(pending).filter(({ agent }) => agent !== undefined).length,
);
