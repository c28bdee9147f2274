import type { ChunkPhase } from "../../engine/derive/chunk-progress.ts";
import { deriveTries } from "../../engine/derive/chunk-progress.ts";
import type { ChunkState, RunState } from "../../engine/state.ts";

/** What people read for a chunk's phase. */
export const PHASE_WORDS: Readonly<Record<ChunkPhase, string>> = {
  waiting: "⏸ waits for its dependencies",
  ready: "⏳ ready to start",
  implementing: "⏳ being implemented",
  validating: "⏳ being validated",
  reviewing: "⏳ in review",
  verified: "☑️ verified, waits to land",
  landed: "✅ landed",
  skipped: "➖ skipped",
  retrying: "🔁 to be tried again",
  escalated: "🙋 needs a person",
  stopped: "⏸ waits for an escalated chunk",
};

/**
 * Why a chunk is a person's business, as a clause: reasons are what the chunk did ("failed …"), or clauses of their
 * own ("its agent gave …").
 * @param subject the chunk as it is named there.
 */
export function formatEscalation(subject: string, reason: string): string {
  if (/^(?:failed|mends|is) /u.test(reason)) return `${subject} ${reason}`;
  return subject === "it" ? reason : `${subject}: ${reason}`;
}

/**
 * The try of the gate that has failed most, as n/3: one more failure of it than so far while an attempt
 * is under way. What costs no try (conflicts, outages) does not count.
 */
export function formatTries(chunk: ChunkState, state: RunState): string {
  const counted = chunk.attempts.length - chunk.countFrom;
  if (counted <= 0 && chunk.landed === null) return "";
  const { tries: most } = state.run.config.limits;
  const tries = deriveTries(chunk);
  const failed = Math.max(tries.floor, tries.review, tries.integration);
  return `${Math.min(failed + 1, most)}/${most}`;
}
