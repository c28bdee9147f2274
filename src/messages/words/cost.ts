import { deriveSpent, type Spent } from "../../engine/derive/budget.ts";
import { isAgentJob } from "../../engine/derive/agent-job.ts";
import { listOpenJobs } from "../../engine/derive/jobs.ts";
import type { RunState } from "../../engine/state.ts";
import { formatCount, formatDuration, formatTokens, formatUsd } from "./amounts.ts";

/** What the run has used so far, in one line, with the limits that are set. */
export function formatCost(state: RunState): string {
  const spent = deriveSpent(state);
  const { budget } = state.run.config;
  const parts = [withLimit(formatCount(spent.agentRuns, "agent run"), budget.agent_runs, (most) => most.toString())];
  if (spent.tokens > 0 || budget.tokens > 0)
    parts.push(withLimit(`${formatTokens(spent.tokens)} tokens`, budget.tokens, formatTokens));
  if (spent.usd > 0 || budget.usd > 0) parts.push(withLimit(formatUsd(spent.usd), budget.usd, formatUsd));
  if (budget.wall_minutes > 0) parts.push(`at most ${formatDuration(budget.wall_minutes * 60_000)}`);
  const open = listOpenJobs(state).filter((job) => isAgentJob(job.subject)).length;
  const notes = [
    ...(open > 0 ? [`${open} at work`] : []),
    ...unknownMoney(spent, open),
    ...(spent.unknown > open ? [`the usage of ${formatCount(spent.unknown - open, "run")} is not known`] : []),
  ];
  return `${parts.join(" · ")}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

/** Some programs tell tokens and no money. */
function unknownMoney(spent: Spent, open: number): readonly string[] {
  const silent = spent.unknownUsd - Math.max(spent.unknown, open);
  return silent > 0 ? [`${formatCount(silent, "run")} told no price`] : [];
}

function withLimit(text: string, limit: number, format: (limit: number) => string): string {
  return limit === 0 ? text : `${text} of ${format(limit)}`;
}
