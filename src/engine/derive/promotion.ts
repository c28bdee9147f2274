import type { Config } from "../../contracts/config.ts";
import type { Tier } from "../../contracts/plan.ts";
import type { ChunkState } from "../state.ts";

const LADDER: readonly Tier[] = ["code", "mid", "high"];
/** The first repeat stays on its tier: a failure is often mended with the feedback alone. */
const TRIES_PER_TIER = 1;

/** The tier and model of the next attempt: code -> mid -> high, but only to a model that is another one. */
export function deriveTier(
  chunk: ChunkState,
  start: Tier,
  config: Config,
): { readonly tier: Tier; readonly model: string } {
  const failed = chunk.attempts
    .slice(chunk.countFrom)
    .filter((attempt) => ["refused", "floor-failed", "review-failed", "unusable"].includes(attempt.stage)).length;
  let steps = Math.floor(failed / (TRIES_PER_TIER + 1));
  let tier = start;
  for (const next of LADDER.slice(LADDER.indexOf(start) + 1)) {
    if (steps === 0) break;
    if (config.tiers[next] === config.tiers[tier]) continue;
    tier = next;
    steps -= 1;
  }
  return { tier, model: config.tiers[tier] };
}
