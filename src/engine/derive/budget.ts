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

/** Why no agent may be started any more, or null. Every open agent job counts as spent. */
export function deriveBudget(state: RunState): string | null {
  const { budget } = state.run.config;
  const spent = deriveSpent(state);
  if (budget.agent_runs > 0 && spent.agentRuns >= budget.agent_runs)
    return `the budget of ${budget.agent_runs} agent runs is used up`;
  if (budget.tokens > 0 && spent.tokens >= budget.tokens) return `the budget of ${budget.tokens} tokens is used up`;
  if (budget.usd > 0 && spent.usd >= budget.usd) return `the budget of ${budget.usd} USD is used up`;
  if (budget.wall_minutes > 0 && state.at - state.startedAt >= budget.wall_minutes * 60_000)
    return `the run has taken its ${budget.wall_minutes} minutes`;
  return null;
}
