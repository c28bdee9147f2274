import { listActionKinds, listFactKinds } from "./kinds.ts";
import type { Outcome } from "./simulate.ts";

/** What many stories came to; the last line of `npm run sim -- --json`. */
export interface Summary {
  seeds: number;
  steps: number;
  readonly violations: Array<{
    readonly seed: number;
    readonly invariant: string;
    readonly at: number;
    readonly what: string;
  }>;
  stuck: number;
  readonly stuckSeeds: Array<{ readonly seed: number; readonly why: string }>;
  readonly facts: Record<string, number>;
  readonly actions: Record<string, number>;
  uncovered: readonly string[];
  readonly ends: Record<string, number>;
}

export function emptySummary(): Summary {
  return {
    seeds: 0,
    steps: 0,
    violations: [],
    stuck: 0,
    stuckSeeds: [],
    facts: {},
    actions: {},
    uncovered: [],
    ends: {},
  };
}

export function addOutcome(summary: Summary, outcome: Outcome): void {
  summary.seeds += 1;
  summary.steps += outcome.steps;
  for (const { invariant, at, what } of outcome.violations)
    summary.violations.push({ seed: outcome.seed, invariant, at, what });
  if (outcome.stuck !== null) {
    summary.stuck += 1;
    summary.stuckSeeds.push({ seed: outcome.seed, why: outcome.stuck });
  }
  addCounts(summary.facts, outcome.facts);
  addCounts(summary.actions, outcome.actions);
  const end = outcome.ended ?? (outcome.stuck === null ? "waits" : "stuck");
  addCounts(summary.ends, { [end]: 1 });
}

export function mergeSummaries(parts: readonly Summary[]): Summary {
  const all = emptySummary();
  for (const part of parts) {
    all.seeds += part.seeds;
    all.steps += part.steps;
    all.stuck += part.stuck;
    all.violations.push(...part.violations);
    all.stuckSeeds.push(...part.stuckSeeds);
    addCounts(all.facts, part.facts);
    addCounts(all.actions, part.actions);
    addCounts(all.ends, part.ends);
  }
  all.violations.sort((a, b) => a.seed - b.seed);
  all.stuckSeeds.sort((a, b) => a.seed - b.seed);
  all.uncovered = [
    ...listFactKinds().filter((kind) => all.facts[kind] === undefined),
    ...listActionKinds().filter((kind) => all.actions[kind] === undefined),
  ];
  return all;
}

/** Within so many seeds every kind of fact and of action occurs. */
const COVERING_SEEDS = 2_000;

/** What the stories should have brought about and did not, in words; null when all is well or they are too few to tell. */
export function describeUncovered({ seeds, uncovered }: Pick<Summary, "seeds" | "uncovered">): string | null {
  if (seeds < COVERING_SEEDS || uncovered.length === 0) return null;
  return `In ${seeds} stories these never occurred: ${uncovered.join(", ")}. About what never occurs they prove nothing: something must bring it about within ${COVERING_SEEDS} seeds.`;
}

function addCounts(into: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(counts)) into[kind] = (into[kind] ?? 0) + count;
}
