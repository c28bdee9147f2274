import type { Wait } from "../../engine/action.ts";
import type { ChunkId, JobId } from "../../contracts/ids.ts";
import { formatCode } from "../../contracts/markdown.ts";
import type { RunState } from "../../engine/state.ts";
import type { Links } from "../links.ts";
import { formatList, formatMoment } from "../words/amounts.ts";
import { findRunLink, formatJobWords } from "../words/job-words.ts";
import { cutText, formatSentence } from "./sentence.ts";
import { findRow } from "../../engine/table.ts";

const MOST_WAITS = 30;

/** What the run waits for, what ends each wait and when it ends by itself. */
export function formatWaits(state: RunState, waits: readonly Wait[], links: Links): string {
  const lines = waits.slice(0, MOST_WAITS).map((wait) => `- ${formatWait(state, wait, links)}`);
  const rest = waits.length - lines.length;
  return [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
}

function formatWait(state: RunState, wait: Wait, links: Links): string {
  const until = wait.until === null ? "" : `, at the latest ${formatMoment(wait.until)}`;
  const ends = `${formatSentence(cutText(wait.unblock, 300))}${until}`;
  const job = findRow(state.jobs, wait.subject as JobId);
  if (job !== undefined) {
    const url = findRunLink(job, links);
    const words = formatJobWords(job.subject, state);
    return `${words}${url === null ? "" : ` ([run](${url}))`} since ${formatMoment(job.dispatchedAt)}; until ${ends}`;
  }
  const what = formatSentence(cutText(wait.what, 300));
  const chunk = findRow(state.chunks, wait.subject as ChunkId);
  const others = (wait.chunks ?? []).filter((id) => id !== chunk?.id).map(formatCode);
  const held = others.length === 0 ? "" : ` (holds back ${formatList(others, 6)})`;
  return `${chunk === undefined ? "" : `${formatCode(chunk.id)}: `}${what}${held}; until ${ends}`;
}
