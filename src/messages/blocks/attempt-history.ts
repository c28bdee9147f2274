import type { ChunkState, RunState } from "../../engine/state.ts";
import type { Links } from "../links.ts";
import { describeAttempt } from "../words/attempt-words.ts";
import { formatSentenceCell } from "./sentence.ts";
import { escapeTableCell } from "../../contracts/markdown.ts";
import { formatTable } from "./table.ts";

/** The attempts of a chunk that count, oldest first: where each ended and why. */
export function formatAttemptHistory(state: RunState, chunk: ChunkState, links: Links): string {
  return formatTable(
    ["Attempt", "Phase", "What happened", "Model", "Look"],
    chunk.attempts.map((attempt) => {
      const { phase, what, url } = describeAttempt(state, chunk, attempt, links);
      return [
        `${attempt.n}`,
        phase,
        formatSentenceCell(what),
        escapeTableCell(attempt.model === "" ? attempt.agent : `${attempt.agent}, ${attempt.model}`),
        url === null ? "" : `[open](${url})`,
      ];
    }),
  );
}
