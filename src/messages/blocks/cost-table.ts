import { formatTableCode } from "../../contracts/markdown.ts";
import { deriveChunkSpent, deriveSpent, type Spent } from "../../engine/derive/budget.ts";
import type { RunState } from "../../engine/state.ts";
import { formatDuration, formatTokens, formatUsd } from "../words/amounts.ts";
import { formatTable } from "./table.ts";

/** More attempts than this are a list nobody reads: chunks are shown as a whole then. */
const MOST_ROWS = 100;
const HEAD = ["Chunk", "Attempt", "Agent runs", "Tokens", "Money", "Job time"];

/** What every attempt, every chunk and the rest of the run has used, as the agents' own programs report it. */
export function formatCostTable(state: RunState): string {
  const chunks = state.chunks.rows.filter((chunk) => chunk.attempts.length > 0);
  const attempts = chunks.reduce((sum, chunk) => sum + chunk.attempts.length, 0);
  const shown = attempts <= MOST_ROWS ? chunks : chunks.slice(0, MOST_ROWS);
  const rows = shown.flatMap((chunk) => {
    const name = formatTableCode(chunk.id);
    const whole = formatRow(name, "all", deriveChunkSpent(state, chunk.id));
    if (attempts > MOST_ROWS || chunk.attempts.length === 1) return [whole];
    return [whole, ...chunk.attempts.map(({ n }) => formatRow("", `${n}`, deriveChunkSpent(state, chunk.id, n)))];
  });
  const sums = chunks.map((chunk) => deriveChunkSpent(state, chunk.id));
  const rest = subtract(deriveSpent(state), sums);
  if (rest.agentRuns > 0) rows.push(formatRow("planning, acceptance", "", rest));
  return formatTable(HEAD, rows);
}

function formatRow(chunk: string, attempt: string, spent: Spent): readonly string[] {
  const runs = spent.agentRuns;
  return [
    chunk,
    attempt,
    `${runs}`,
    formatKnown(formatTokens(spent.tokens), spent.unknownTokens, runs),
    formatKnown(formatUsd(spent.usd), spent.unknownUsd, runs),
    formatDuration(spent.jobMs),
  ];
}

/** An amount that is not the whole of it says so. */
function formatKnown(amount: string, unknown: number, runs: number): string {
  if (runs === 0) return "";
  if (unknown === 0) return amount;
  return unknown >= runs ? "not known" : `${amount} and ${unknown} not known`;
}

function subtract(whole: Spent, parts: readonly Spent[]): Spent {
  const without = (key: keyof Spent): number => parts.reduce((rest, part) => rest - part[key], whole[key]);
  return {
    agentRuns: without("agentRuns"),
    tokens: without("tokens"),
    // Sums of cents in binary fractions: no money is owed by a rounding error.
    usd: Math.max(0, without("usd")),
    unknown: without("unknown"),
    unknownTokens: without("unknownTokens"),
    unknownUsd: without("unknownUsd"),
    jobMs: without("jobMs"),
  };
}
