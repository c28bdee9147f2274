/** I9: what waits, waits because somebody said so, and what was dropped is left to nobody. */
import type { RecordedFact } from "../../../src/engine/fact.ts";
import { foldAll } from "../../../src/engine/fold.ts";
import type { GitHubModel } from "../model/github-model.ts";
import type { Ledger } from "./ledger.ts";

/** @returns what a run that has not ended shows wrongly, or null. */
export function findWrongHold(model: GitHubModel, facts: readonly RecordedFact[], ledger: Ledger): string | null {
  const state = facts.length === 0 ? null : foldAll(facts);
  if (state === null || state.ended !== null || ledger.isOver) return null;
  const held = state.paused !== null;
  if (held !== ledger.paused)
    return held ? "the run stands still, and nothing pauses it any more" : "the run goes on although it is paused";
  for (const chunk of state.chunks.rows)
    for (const { number } of chunk.pulls)
      if (chunk.skipped && chunk.landed === null && isOpen(model, number))
        return `pull request ${number} of ${chunk.id} is open, and the chunk was dropped`;
  return null;
}

function isOpen(model: GitHubModel, number: number): boolean {
  return model.pulls.get(number)?.timeline.now.state === "open";
}
