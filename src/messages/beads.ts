/**
 * A run as the tracker `bd` reads it: one JSON object a line, an epic and a task per chunk. The fields, and what is
 * refused, are those of `Issue` and `Dependency` in
 * https://github.com/steveyegge/beads/blob/v1.0.5/internal/types/types.go, which `bd export` writes and `bd import` reads.
 */
import { createHash } from "node:crypto";
import { isBlank } from "../contracts/blank.ts";
import { listCriteria } from "../contracts/criteria.ts";
import type { ChunkId } from "../contracts/ids.ts";
import type { Chunk } from "../contracts/plan.ts";
import { listPlanItems, type TrackerItem } from "../engine/derive/tracker-items.ts";
import type { RunState } from "../engine/state.ts";
import { findRow } from "../engine/table.ts";

const AUTHOR = "taskfleet";
/** 0 is critical, 4 the backlog. */
const NORMAL = 2;
/** Longer titles are refused, and with one of them the whole file. */
const TITLE_BYTES = 500;

interface Dependency {
  readonly on: string;
  readonly type: "blocks" | "parent-child";
}

/**
 * @param chunks of the revision that is committed with it. Names do not change from revision to revision, so that
 *   reading a newer file brings an older one up to date; times are the run's own, so that the same state is the same text.
 */
export function formatBeads(state: RunState, chunks: readonly Chunk[]): string {
  const items = listPlanItems(state, chunks);
  const ends = items.flatMap(({ chunk }) => findRow(state.chunks, chunk)?.landed?.at ?? []);
  const changed = Math.max(state.startedAt, ...state.revisions.map(({ at }) => at), ...ends);
  const open = items.some(({ status }) => status === "open");
  const epic = formatEntry(state, {
    id: formatEpicId(state),
    // An issue's title may be nothing but what nobody sees.
    title: isBlank(state.run.title) ? state.run.run : state.run.title,
    description: `Issue ${state.run.repository.url}/issues/${state.run.issue}, run ${state.run.run}. The plan beside this folder is what counts.`,
    type: "epic",
    changed,
    closed: open ? null : { at: changed, reason: "Every chunk is settled" },
    dependencies: [],
  });
  const all = [...items, ...listDropped(state, chunks)];
  return [epic, ...all.map((item) => formatItem(state, item, changed))].map((line) => `${line}\n`).join("");
}

/** Chunks of earlier revisions that this one lacks: an earlier file may have shown them as open. */
function listDropped(state: RunState, chunks: readonly Chunk[]): readonly TrackerItem[] {
  const kept = new Set(chunks.map(({ id }) => id));
  const dropped = new Map<string, Chunk>();
  for (const { plan } of state.revisions)
    for (const chunk of plan.chunks) if (!kept.has(chunk.id)) dropped.set(chunk.id, chunk);
  return listPlanItems(state, [...dropped.values()]).map((item) =>
    item.status === "open" ? { ...item, status: "dropped" } : item,
  );
}

function formatItem(state: RunState, { chunk, definition, status, blockedBy }: TrackerItem, changed: number): string {
  const at = findRow(state.chunks, chunk)?.landed?.at ?? changed;
  return formatEntry(state, {
    id: formatTaskId(state, chunk),
    title: `${chunk}: ${definition.title}`,
    description: definition.brief,
    criteria: listCriteria(definition)
      .map((criterion) => `- ${criterion}`)
      .join("\n"),
    type: "task",
    changed,
    closed: status === "open" ? null : { at, reason: status === "done" ? "Landed" : "Not built" },
    dependencies: [
      { on: formatEpicId(state), type: "parent-child" },
      ...blockedBy.map((other) => ({ on: formatTaskId(state, other), type: "blocks" }) as const),
    ],
  });
}

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly criteria?: string;
  readonly type: "epic" | "task";
  /**
   * Never earlier than in an earlier file of the run: `bd import` passes over what is older than what it has, also
   * where a chunk that had landed is to be built again.
   */
  readonly changed: number;
  /** What is closed has a time, what is open has none: `bd` refuses anything else. */
  readonly closed: { readonly at: number; readonly reason: string } | null;
  readonly dependencies: readonly Dependency[];
}

function formatEntry(state: RunState, entry: Entry): string {
  const { id, closed } = entry;
  const created = { created_at: formatTime(state.startedAt), created_by: AUTHOR };
  return JSON.stringify({
    id,
    title: cutToBytes(entry.title, TITLE_BYTES),
    description: entry.description,
    ...(entry.criteria === undefined ? {} : { acceptance_criteria: entry.criteria }),
    status: closed === null ? "open" : "closed",
    priority: NORMAL,
    issue_type: entry.type,
    ...created,
    updated_at: formatTime(closed?.at ?? entry.changed),
    ...(closed === null ? {} : { closed_at: formatTime(closed.at), close_reason: closed.reason }),
    ...(entry.dependencies.length === 0
      ? {}
      : {
          dependencies: entry.dependencies.map(({ on, type }) => ({
            issue_id: id,
            depends_on_id: on,
            type,
            ...created,
          })),
        }),
  });
}

/** Every run has names of its own: `tf` and the issue's number, then a hash. */
function formatEpicId(state: RunState): string {
  return `tf${state.run.issue}-${formatHash(state.run.run)}`;
}

function formatTaskId(state: RunState, chunk: ChunkId): string {
  return `tf${state.run.issue}-${formatHash(`${state.run.run}/${chunk}`)}`;
}

function formatHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Whole seconds, rounded down: `bd` keeps no others, and would take what it rounded up for newer than what we say. */
function formatTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/u, "Z");
}

/** Whole characters, as many as fit. */
function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end);
}
