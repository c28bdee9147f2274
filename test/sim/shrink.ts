/** Makes a failing story short: what went wrong or was done by people is left out as long as it still fails. */
import type { Scenario } from "./scenario.ts";
import type { CreateDatabase } from "./store/story-database.ts";
import { type Outcome, simulate } from "./simulate.ts";

const MAX_TRIES = 80;

/** What a failure is about, without names and numbers: a shorter story must fail for the same reason. */
export function describeFailure(outcome: Outcome): string | null {
  const [first] = outcome.violations;
  if (first !== undefined) return `${first.invariant}: ${normalise(first.what)}`;
  return outcome.stuck === null ? null : `stuck: ${normalise(outcome.stuck)}`;
}

export function normalise(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8,}/gu, "X")
    .replaceAll(/[0-9]+/gu, "N")
    .slice(0, 60);
}

export interface Shrunk {
  readonly outcome: Outcome;
  readonly suppressed: ReadonlySet<string>;
}

/**
 * Halves of what happened are left out first, then quarters, and so on (delta debugging, Zeller 1999).
 *
 * @throws TypeError when the outcome is none that failed.
 */
export async function shrink(scenario: Scenario, failing: Outcome, createDatabase?: CreateDatabase): Promise<Shrunk> {
  const wanted = describeFailure(failing);
  if (wanted === null) throw new TypeError(`seed ${scenario.seed} does not fail: there is nothing to make shorter`);
  let best: Shrunk = { outcome: failing, suppressed: new Set() };
  let tries = 0;
  for (
    let size = Math.ceil(failing.incidents.length / 2);
    size >= 1 && tries < MAX_TRIES;
    size = Math.floor(size / 2)
  ) {
    const ids = best.outcome.incidents.map((incident) => incident.id);
    for (let start = 0; start < ids.length && tries < MAX_TRIES; start += size) {
      const suppressed = new Set([...best.suppressed, ...ids.slice(start, start + size)]);
      if (suppressed.size === best.suppressed.size) continue;
      tries += 1;
      const outcome = await simulate(scenario, { suppressed, ...(createDatabase && { createDatabase }) });
      if (describeFailure(outcome) === wanted) best = { outcome, suppressed };
    }
  }
  return best;
}

/** The story in words, for a person who has to find the bug; `again` is the command that plays it. */
export function formatStory(scenario: Scenario, { outcome }: Shrunk, again: string): string {
  const { faults, crowd, instances, chunks } = scenario;
  const rates = Object.entries(faults).filter(([, rate]) => rate > 0);
  return [
    `Seed ${scenario.seed}: ${chunks.length} chunks, ${instances} process(es), people: ${crowd}.`,
    `Weather: ${rates.map(([name, rate]) => `${name} ${rate.toFixed(3)}`).join(", ") || "calm"}.`,
    ...outcome.incidents.map((incident) => `  went wrong: ${incident.words} [${incident.id}]`),
    ...outcome.history.slice(-60).map((line) => `  ${line}`),
    ...outcome.violations.slice(0, 3).map((finding) => `${finding.invariant} is violated: ${finding.what}`),
    ...(outcome.stuck === null ? [] : [`Stuck: ${outcome.stuck}.`]),
    `Again: ${again}`,
  ].join("\n");
}
