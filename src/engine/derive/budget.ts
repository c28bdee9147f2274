import { isAgentJob } from "./agent-job.ts";
import type { RunState } from "../state.ts";

export interface Spent {
  readonly agentRuns: number;
  readonly tokens: number;
  readonly usd: number;
  /** Agent jobs whose usage nobody knows yet, or ever. */
  readonly unknown: number;
}

export function deriveSpent(state: RunState): Spent {
  let agentRuns = 0;
  let tokens = 0;
  let usd = 0;
  let unknown = 0;
  for (const job of Object.values(state.jobs)) {
    if (!isAgentJob(job.subject)) continue;
    agentRuns += 1;
    if (job.usage === null) unknown += 1;
    tokens += (job.usage?.inputTokens ?? 0) + (job.usage?.outputTokens ?? 0);
    usd += job.usage?.usd ?? 0;
  }
  return { agentRuns, tokens, usd, unknown };
}

/**
 * Why no further agent may be started, or null. What an open or silent job may have cost counts as its
 * reserved worst case, and so does the job that is asked about.
 * @param planned agents that are about to be started beside it.
 */
export function deriveBudget(state: RunState, planned = 0): string | null {
  const { budget } = state.run.config;
  const known = deriveSpent(state);
  const reserved = known.unknown + planned;
  const spent = {
    agentRuns: known.agentRuns + planned,
    tokens: known.tokens + (reserved + 1) * budget.reserve_tokens,
    usd: known.usd + (reserved + 1) * budget.reserve_usd,
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
