import type { Config } from "../../contracts/config.ts";
import { MAX_VOID_REVIEWS } from "../../engine/derive/unusual.ts";

export interface WorstCase {
  /** Agent runs when nothing fails: one implementer and one reviewer per chunk, and the final reviewer. */
  readonly atLeast: number;
  /**
   * Agent runs for this revision as it is: before every chunk has either landed or become a person's business, and for
   * one acceptance. What may come on top (repeated work, revisions that mend the feature) is not in it.
   */
  readonly atMost: number;
}

/** Reviewers that may be void before a person is asked, minus the one that counts. */
const SPARE_REVIEWERS = MAX_VOID_REVIEWS - 1;

/**
 * Every gate may fail until one try is left; each such attempt costs an implementer, and those that pass
 * the floor cost reviewers. Conflicts and outages cost no try and come on top.
 */
export function deriveWorstCase(chunks: number, config: Config): WorstCase {
  const { tries, unusable } = config.limits;
  // Confirmed by another reviewer, the majority of up to three decides.
  const opinions = config.review.confirm > 1 ? 3 : 1;
  const reviewed = 2 * (tries - 1) + 1;
  const implemented = reviewed + (tries - 1) + (unusable - 1);
  const perChunk = implemented + reviewed * (opinions + SPARE_REVIEWERS);
  return { atLeast: chunks * 2 + 1, atMost: chunks * perChunk + 1 + SPARE_REVIEWERS };
}
