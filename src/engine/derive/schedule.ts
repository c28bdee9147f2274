/** Which chunks start now: deps landed, scope free, capacity free, longest remaining path first. */
import type { ChunkId } from "../../contracts/ids.ts";
import type { Chunk } from "../../contracts/plan.ts";
import { createScopeClaims, remainingPathLengths } from "../../plan/graph.ts";
import type { Wait } from "../action.ts";
import type { ChunkState, RunState } from "../state.ts";
import { perRow } from "../table.ts";
import { deriveStops, findLiveAttempt, holdsScope, isSettled, type Stops } from "./chunk-progress.ts";
import { listOpenJobs } from "./jobs.ts";
import { once, onceOf } from "./once.ts";
import { deriveActiveRevision } from "./plan-progress.ts";

export interface Schedule {
  /** In the order in which they start. */
  readonly start: readonly Chunk[];
  /** People implement these, and could begin: they take no agent's place. */
  readonly taken: readonly Chunk[];
  /** Could start but for scope or capacity. */
  readonly held: readonly Wait[];
}

export function deriveSchedule(state: RunState): Schedule {
  const revision = deriveActiveRevision(state);
  if (revision === null) return { start: [], taken: [], held: [] };
  const { limits } = state.run.config;
  return findSchedule(
    revision.plan.chunks,
    listStandings(state.chunks, limits).rows,
    deriveStops(state),
    listDoubtful(state.pending),
    listOpenJobs(state).filter((job) => job.subject.role === "implement").length,
    limits.parallel,
  );
}

/** Chunks whose attempt may have been started already: they come first, so that nothing takes their files or places. */
const listDoubtful = once((pending: RunState["pending"]): readonly ChunkId[] => {
  const doubtful = Object.values(pending).flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt.chunk]));
  // Every effect changes what is pending: the very same list, or each would cost a new schedule.
  return doubtful.length === 0 ? NONE : doubtful;
});

const NONE: readonly ChunkId[] = [];

/**
 * What the schedule needs to know of a chunk; one that holds its scope may wait for its next attempt.
 * As words, so that a change which moves nothing here is seen to move nothing.
 */
type Standing = "settled" | "free" | "at-work" | "at-work-unheld" | "between-attempts" | "taken" | "prepared";

const listStandings = perRow((chunk: ChunkState, limits: RunState["run"]["config"]["limits"]): Standing => {
  if (isSettled(chunk)) return "settled";
  const holds = holdsScope(chunk, limits);
  if (findLiveAttempt(chunk) !== null) return holds ? "at-work" : "at-work-unheld";
  if (chunk.taken !== null) return chunk.taken.base === null ? "taken" : "prepared";
  return holds ? "between-attempts" : "free";
});

interface Place {
  readonly chunk: Chunk;
  readonly position: number;
  /** Positions of the chunks it waits for; deps outside the plan are nobody's. */
  readonly deps: readonly number[];
}

/** Of those that are nobody's yet, and of those that somebody has: what may be done about them now is decided anew. */
const MAY_BEGIN: ReadonlySet<Standing> = new Set(["free", "between-attempts", "taken", "prepared"]);

const indexPositions = once(
  (chunks: readonly Chunk[]): ReadonlyMap<string, number> =>
    new Map(chunks.map((chunk, position) => [chunk.id, position])),
);

/** A plan's chunks never change, so neither does the order in which they should start, nor what each waits for. */
const listByUrgency = once((chunks: readonly Chunk[]): readonly Place[] => {
  const positions = indexPositions(chunks);
  const remaining = remainingPathLengths(chunks);
  const places = chunks.map((chunk, position) => ({
    chunk,
    position,
    deps: (chunk.deps ?? []).flatMap((dep) => positions.get(dep) ?? []),
  }));
  return places.sort(
    (a, b) => (remaining.get(b.chunk.id) ?? 0) - (remaining.get(a.chunk.id) ?? 0) || a.position - b.position,
  );
});

/** In a wide plan most chunks wait for an agent most of the time: what is said of them is built once. */
const listBusy = onceOf((chunks: readonly Chunk[], parallel: number): readonly Wait[] =>
  chunks.map((chunk) => ({
    subject: chunk.id,
    chunks: [chunk.id as ChunkId],
    what: parallel === 1 ? "an agent is at work already" : `${parallel} agents are at work already`,
    until: null,
    unblock: parallel === 1 ? "it ends" : "one of them ends",
  })),
);

/** @param standing of the rival. */
function waitForScope(chunk: Chunk, rival: string, standing: Standing | undefined): Wait {
  const isPersons = standing === "taken" || standing === "prepared";
  return {
    subject: chunk.id,
    chunks: [chunk.id as ChunkId],
    what: `its files overlap with \`${rival}\`, which ${isPersons ? "a person implements" : "is under way"}`,
    until: null,
    unblock: isPersons
      ? `\`${rival}\` lands, is skipped or goes back to an agent`
      : `\`${rival}\` lands, is skipped or becomes a person's business`,
  };
}

function putFirst(places: readonly Place[], first: readonly ChunkId[]): readonly Place[] {
  if (first.length === 0) return places;
  const isFirst = ({ chunk }: Place): boolean => first.includes(chunk.id as ChunkId);
  return [...places.filter(isFirst), ...places.filter((place) => !isFirst(place))];
}

/** @param standings of the plan's chunks, in the plan's order. */
const findSchedule = onceOf(
  (
    chunks: readonly Chunk[],
    standings: readonly Standing[],
    stops: Stops,
    doubtful: readonly ChunkId[],
    running: number,
    parallel: number,
  ): Schedule => {
    const claims = createScopeClaims();
    const places = listByUrgency(chunks);
    const isReady = ({ deps }: Place): boolean => deps.every((dep) => standings[dep] === "settled");
    // What is only to be taken, or waits for its dependencies again, holds nothing: chunks would wait for each other.
    for (const place of places) {
      const standing = standings[place.position];
      if (standing === "at-work" || (standing === "prepared" && isReady(place)))
        claims.claim(place.chunk.id, place.chunk.files_touched);
    }
    // So would two that both wait for their next attempt, since people brought one of them back: the first one holds.
    const ordered = putFirst(places, doubtful);
    for (const place of ordered) {
      const { chunk, position } = place;
      if (standings[position] !== "between-attempts" || !isReady(place)) continue;
      if (claims.findRival(chunk.id, chunk.files_touched) === null) claims.claim(chunk.id, chunk.files_touched);
    }
    const busy = listBusy(chunks, parallel);
    const positions = indexPositions(chunks);
    // What may be at work has its place, also where it does not start any more: until it has been looked for.
    let free = parallel - running - doubtful.length;
    const start: Chunk[] = [];
    const taken: Chunk[] = [];
    const held: Wait[] = [];
    for (const place of ordered) {
      const { chunk, position } = place;
      const standing = standings[position];
      if (standing === undefined || !MAY_BEGIN.has(standing)) continue;
      const id = chunk.id as ChunkId;
      if (stops.escalated.has(id) || stops.stopped.has(id)) continue;
      if (!isReady(place)) continue;
      if (standing === "prepared") {
        taken.push(chunk);
        continue;
      }
      const rival = claims.findRival(chunk.id, chunk.files_touched);
      if (rival !== null) {
        held.push(waitForScope(chunk, rival, standings[positions.get(rival) ?? -1]));
        continue;
      }
      if (standing !== "taken" && !doubtful.includes(id)) {
        if (free <= 0) {
          held.push(busy[position] as Wait);
          continue;
        }
        free -= 1;
      }
      (standing === "taken" ? taken : start).push(chunk);
      claims.claim(chunk.id, chunk.files_touched);
    }
    return { start, taken, held };
  },
);
