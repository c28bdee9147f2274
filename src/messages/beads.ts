/**
 * A run as the tracker `bd` reads it: one JSON object a line, an epic and a task per chunk
 * (github.com/steveyegge/beads; fields as `bd export` writes them).
 */
import { createHash } from "node:crypto";
import { listCriteria } from "../contracts/criteria.ts";
import type { ChunkId } from "../contracts/ids.ts";
import type { Chunk } from "../contracts/plan.ts";
import { listPlanItems, type TrackerItem } from "../engine/derive/tracker-items.ts";
import type { RunState } from "../engine/state.ts";
import { findRow } from "../engine/table.ts";

const AUTHOR = "taskfleet";
/** 0 is critical, 4 the backlog. */
const NORMAL = 2;

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
  const last = Math.max(state.startedAt, ...ends);
  const open = items.some(({ status }) => status === "open");
  const epic = formatEntry(state, {
    id: formatEpicId(state),
    title: state.run.title,
    description: `Issue ${state.run.repository.url}/issues/${state.run.issue}, run ${state.run.run}. The plan beside this folder is what counts.`,
    type: "epic",
    closed: open ? null : { at: last, reason: "Every chunk is settled" },
    dependencies: [],
  });
  return [epic, ...items.map((item) => formatItem(state, item, last))].map((line) => `${line}\n`).join("");
}

function formatItem(state: RunState, { chunk, definition, status, blockedBy }: TrackerItem, last: number): string {
  const at = findRow(state.chunks, chunk)?.landed?.at ?? last;
  return formatEntry(state, {
    id: formatTaskId(state, chunk),
    title: `${chunk}: ${definition.title}`,
    description: definition.brief,
    criteria: listCriteria(definition)
      .map((criterion) => `- ${criterion}`)
      .join("\n"),
    type: "task",
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
  /** What is closed has a time, what is open has none: `bd` refuses anything else. */
  readonly closed: { readonly at: number; readonly reason: string } | null;
  readonly dependencies: readonly Dependency[];
}

function formatEntry(state: RunState, entry: Entry): string {
  const { id, closed } = entry;
  const created = { created_at: formatTime(state.startedAt), created_by: AUTHOR };
  return JSON.stringify({
    id,
    // Longer titles are refused.
    title: entry.title.slice(0, 500),
    description: entry.description,
    ...(entry.criteria === undefined ? {} : { acceptance_criteria: entry.criteria }),
    status: closed === null ? "open" : "closed",
    priority: NORMAL,
    issue_type: entry.type,
    ...created,
    updated_at: formatTime(closed?.at ?? state.startedAt),
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

function formatTime(at: number): string {
  return new Date(at).toISOString();
}
