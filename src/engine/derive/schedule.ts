/** Which chunks start now: deps landed, scope free, capacity free, longest remaining path first. */
import type { ChunkId } from "../../contracts/ids.ts";
import type { Chunk } from "../../contracts/plan.ts";
import { remainingPathLengths, scopesOverlap } from "../../plan/graph.ts";
import type { RunState } from "../state.ts";
import { deriveStops, findLiveAttempt, holdsScope, isSettled } from "./chunk-progress.ts";
import { listOpenJobs } from "./jobs.ts";
import { once } from "./once.ts";
import { deriveActiveRevision } from "./plan-progress.ts";

export interface Held {
  readonly chunk: ChunkId;
  readonly why: string;
}

export interface Schedule {
  /** In the order in which they start. */
  readonly start: readonly Chunk[];
  /** Could start but for scope or capacity. */
  readonly held: readonly Held[];
}

export const deriveSchedule: (state: RunState) => Schedule = once(findSchedule);

/** A plan's chunks never change, so neither does what each of them keeps waiting. */
const measurePaths = once((chunks: readonly Chunk[]) => remainingPathLengths(chunks));

function findSchedule(state: RunState): Schedule {
  const revision = deriveActiveRevision(state);
  if (revision === null) return { start: [], held: [] };
  const { chunks } = revision.plan;
  const stops = deriveStops(state);
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const holders = chunks.filter((chunk) => {
    const entry = state.chunks[chunk.id as ChunkId];
    return entry !== undefined && holdsScope(entry, state);
  });
  const ready = chunks.filter((chunk) => {
    const entry = state.chunks[chunk.id as ChunkId];
    if (entry === undefined || isSettled(entry) || findLiveAttempt(entry) !== null) return false;
    if (stops.escalated.has(entry.id) || stops.stopped.has(entry.id)) return false;
    return (chunk.deps ?? []).every((dep) => {
      const other = state.chunks[dep as ChunkId];
      return other === undefined || !byId.has(dep) || isSettled(other);
    });
  });
  const remaining = measurePaths(chunks);
  const order = new Map(chunks.map((chunk, index) => [chunk.id, index]));
  const sorted = [...ready].sort(
    (a, b) =>
      (remaining.get(b.id) ?? 0) - (remaining.get(a.id) ?? 0) || (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0),
  );
  const start: Chunk[] = [];
  const held: Held[] = [];
  const running = listOpenJobs(state).filter((job) => job.subject.role === "implement").length;
  const free = state.run.config.limits.parallel - running;
  for (const chunk of sorted) {
    const rival = [...holders, ...start].find(
      (holder) => holder.id !== chunk.id && scopesOverlap(holder.files_touched, chunk.files_touched),
    );
    if (rival !== undefined)
      held.push({ chunk: chunk.id as ChunkId, why: `its files overlap with \`${rival.id}\`, which is under way` });
    else if (start.length >= free)
      held.push({ chunk: chunk.id as ChunkId, why: `${state.run.config.limits.parallel} agents are at work already` });
    else start.push(chunk);
  }
  return { start, held };
}
