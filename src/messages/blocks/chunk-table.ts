import { escapeTableCell, formatTableCode } from "../../contracts/markdown.ts";
import { deriveChunkPhase, deriveStops, type ChunkPhase } from "../../engine/derive/chunk-progress.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import type { ChunkState, RunState } from "../../engine/state.ts";
import type { Links } from "../links.ts";
import { formatCount } from "../words/amounts.ts";
import { describeAttempt } from "../words/attempt-words.ts";
import { formatTries, PHASE_WORDS } from "../words/chunk-words.ts";
import { cutText, formatSentenceCell } from "./sentence.ts";
import { formatTable } from "./table.ts";

/** More rows than this are a list nobody reads: what has landed is then only counted. */
const MOST_ROWS = 60;
const TITLE_LENGTH = 80;

/** Every chunk with its phase, its try, what its newest attempt came to, and its pull request. */
export function formatChunkTable(state: RunState, links: Links): string {
  const order = new Map(deriveActiveRevision(state)?.plan.chunks.map((chunk, index) => [chunk.id, index]));
  const chunks = state.chunks.rows.toSorted(
    (a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size),
  );
  const open = chunks.length > MOST_ROWS ? chunks.filter((chunk) => chunk.landed === null) : chunks;
  const shown = open.slice(0, MOST_ROWS);
  const stops = deriveStops(state);
  const table = formatTable(
    ["Chunk", "State", "Try", "Last result", "PR"],
    shown.map((chunk) => [
      formatChunkName(state, chunk),
      formatState(chunk, deriveChunkPhase(chunk, state, stops)),
      formatTries(chunk, state),
      formatLastResult(state, chunk, links),
      formatPulls(chunk),
    ]),
  );
  if (shown.length === chunks.length) return table;
  const landed = chunks.length - open.length;
  const rest = open.length - shown.length;
  const counted = [...(landed > 0 ? [`${landed} that have landed`] : []), ...(rest > 0 ? [`${rest} others`] : [])];
  return `${table}\n\n_Not shown: ${counted.join(" and ")} (${formatCount(chunks.length, "chunk")} in all)._`;
}

function formatState(chunk: ChunkState, phase: ChunkPhase): string {
  if (chunk.taken !== null && (phase === "ready" || phase === "retrying"))
    return `🧑 ${formatTableCode(chunk.taken.by)} implements it`;
  if (chunk.landed !== null && !chunk.landed.verified) return "⚠️ landed unverified";
  return PHASE_WORDS[phase];
}

function formatChunkName(state: RunState, chunk: ChunkState): string {
  const title = deriveActiveRevision(state)?.plan.chunks.find((entry) => entry.id === chunk.id)?.title;
  const name = formatTableCode(chunk.id);
  return title === undefined ? name : `${name}: ${escapeTableCell(cutText(title, TITLE_LENGTH))}`;
}

function formatLastResult(state: RunState, chunk: ChunkState, links: Links): string {
  const last = chunk.attempts.at(-1);
  if (last === undefined) return "";
  const { what, url } = describeAttempt(state, chunk, last, links);
  const text = formatSentenceCell(what);
  return url === null ? text : `${text} ([attempt ${last.n}](${url}))`;
}

/** The newest pull request; `#12` becomes a link by itself. */
function formatPulls(chunk: ChunkState): string {
  const pull = chunk.pulls.at(-1);
  return pull === undefined ? "" : `#${pull.number}`;
}
