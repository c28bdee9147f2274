import type { Coverage } from "../../contracts/captures.ts";

/** Percent, cut (never rounded up) to two decimals; nothing to cover is covered. */
export function formatPercent(hit: number, found: number): number {
  return found === 0 ? 100 : Math.floor((hit / found) * 10_000) / 100;
}

export function isPercent(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 100;
}

export function buildCoverageProblem(problem: string): Coverage {
  return { problems: [problem.slice(0, 1000)], lines: null, branches: null, functions: null, statements: null };
}
