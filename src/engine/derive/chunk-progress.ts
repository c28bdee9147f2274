/** Where a chunk stands and what it has used up, derived from its attempts. */
import { type FailedAttempt, isChurning } from "../../review/ledger.ts";
import { descendants } from "../../plan/graph.ts";
import type { Config } from "../../contracts/config.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import type { AttemptState, ChunkState, PlanRevision, RunState } from "../state.ts";
import { once, onceOf } from "./once.ts";
import { deriveActiveRevision, findChunk } from "./plan-progress.ts";
import { findRow, perRow } from "../table.ts";
import { MAX_LOST_JOBS, MAX_VOID_REVIEWS } from "./unusual.ts";

export interface Tries {
  /** Failed tries of the floor, a change set refused before any commit included. */
  readonly floor: number;
  readonly review: number;
  /** Attempts whose agent gave nothing that can be used. */
  readonly unusable: number;
  /** Failed candidates of this chunk alone. */
  readonly integration: number;
  /** Reviewers that were void on the newest attempt, and jobs that were lost. */
  readonly voidReviews: number;
  readonly lost: number;
}

export function deriveTries(chunk: ChunkState): Tries {
  const counted = chunk.attempts.slice(chunk.countFrom);
  const count = (...stages: ReadonlyArray<AttemptState["stage"]>): number =>
    counted.filter((attempt) => stages.includes(attempt.stage)).length;
  const last = counted.at(-1);
  return {
    floor: count("refused", "floor-failed"),
    review: count("review-failed"),
    unusable: count("unusable"),
    integration: count("integration-failed"),
    voidReviews: last?.voidReviews ?? 0,
    lost: countLost(counted),
  };
}

/** Of the newest attempt; where its agent came to no result for something outside, of those right before it, too. */
function countLost(attempts: readonly AttemptState[]): number {
  let count = 0;
  for (const [index, attempt] of attempts.toReversed().entries()) {
    if (index > 0 && attempt.stage !== "external") break;
    count += attempt.lostJobs;
    if (attempt.stage !== "external") break;
  }
  return count;
}

export interface Escalation {
  readonly chunk: ChunkId;
  readonly gate: "floor" | "review" | "agent" | "integration" | "reviewer" | "external" | "person" | "repeat" | "churn";
  readonly reason: string;
}

const NOTHING_FAILED = { floor: 0, review: 0, unusable: 0, integration: 0 };

/** Breaks off early where the configuration allows more tries. */
const MAX_REPEATS = 3;

/** Why a chunk is a person's business now, or null. */
export function deriveEscalation(chunk: ChunkState, limits: Config["limits"]): Escalation | null {
  if (chunk.landed !== null || chunk.skipped) return null;
  const last = chunk.attempts.slice(chunk.countFrom).at(-1);
  // What a person pushed is judged once, whatever failed before it; where it fails too, they are asked again.
  const isPush = last !== undefined && isByHand(last) && LIVE.has(last.stage);
  const tries = { ...deriveTries(chunk), ...(isPush ? NOTHING_FAILED : {}) };
  const build = (gate: Escalation["gate"], reason: string): Escalation => ({ chunk: chunk.id, gate, reason });
  if (chunk.stopped !== null) return build("person", chunk.stopped);
  if (!isPush && isChurning(listFailed(chunk)))
    return build("churn", "mends one finding and brings another, twice in a row");
  if (tries.floor >= limits.tries) return build("floor", `failed the floor ${tries.floor} of ${limits.tries} times`);
  if (tries.review >= limits.tries)
    return build("review", `failed the review ${tries.review} of ${limits.tries} times`);
  if (tries.unusable >= limits.unusable)
    return build("agent", `its agent gave nothing usable ${tries.unusable} of ${limits.unusable} times`);
  if (tries.integration >= limits.tries)
    return build("integration", `failed together with what has landed ${tries.integration} of ${limits.tries} times`);
  if (tries.voidReviews >= MAX_VOID_REVIEWS)
    return build(
      "reviewer",
      `${tries.voidReviews} reviewers gave no verdict that can be believed: ${last?.cause ?? ""}`,
    );
  if (tries.lost >= MAX_LOST_JOBS) return build("external", `its jobs gave no result: ${last?.cause ?? ""}`);
  if (countRepeats(chunk) >= MAX_REPEATS) return build("repeat", `failed ${MAX_REPEATS} times in exactly the same way`);
  return null;
}

/** Pushed by a person: no job made it. */
function isByHand(attempt: AttemptState): boolean {
  return attempt.job === "";
}

/**
 * Attempts that were judged and failed, up to the newest one that was judged; outages and conflicts say nothing.
 * The first one mends nothing, and neither does the first one after a review was passed, such as one that is built
 * again because it conflicts with what has landed: what is new in it was brought by no fix.
 */
function listFailed(chunk: ChunkState): readonly FailedAttempt[] {
  const counted = chunk.attempts.slice(chunk.countFrom);
  const passed = counted.findLastIndex((one) => one.review?.result.outcome === "pass");
  const judged = counted
    .slice(passed + 1)
    .filter((one) => one.stage === "refused" || one.stage === "floor-failed" || one.stage === "review-failed");
  return judged.map((one, index) => ({
    ledger: one.stage === "review-failed" && index > 0 ? one.ledger : [],
    brokeFloor: one.stage === "floor-failed" && judged[index - 1]?.stage === "review-failed",
  }));
}

/** How often in a row, up to the newest attempt, the very same things failed. */
function countRepeats(chunk: ChunkState): number {
  const signatures = chunk.attempts.slice(chunk.countFrom).map(formatFailure);
  const last = signatures.at(-1);
  if (last === undefined || last === null) return 0;
  let count = 0;
  for (let index = signatures.length - 1; index >= 0 && signatures[index] === last; index -= 1) count += 1;
  return count;
}

/** What failed, without its order; null for an attempt that did not fail. */
function formatFailure(attempt: AttemptState): string | null {
  switch (attempt.stage) {
    case "refused":
      return formatViolations("refused", attempt.problems);
    case "floor-failed":
      return formatViolations("floor", attempt.floor?.result.violations ?? []);
    case "integration-failed":
      return formatViolations("integration", attempt.integration);
    default:
      return null;
  }
}

function formatViolations(stage: string, violations: AttemptState["problems"]): string {
  return `${stage}:${violations
    .map((one) => `${one.gate}/${one.rule}/${one.path ?? ""}/${one.message}`)
    .sort()
    .join("|")}`;
}

export interface Stops {
  readonly escalated: ReadonlyMap<ChunkId, Escalation>;
  /** A chunk and the escalated one it waits for. */
  readonly stopped: ReadonlyMap<ChunkId, ChunkId>;
}

/** Every escalated chunk, and every chunk that does not start because of one (with that one). */
export const deriveStops: (state: RunState) => Stops = once(findStops);

const listEscalations = perRow(deriveEscalation);
const keepEscalated = once((entries: ReadonlyArray<Escalation | null>) => entries.filter((entry) => entry !== null));

const NO_STOPS: Stops = { escalated: new Map(), stopped: new Map() };

function findStops(state: RunState): Stops {
  const revision = deriveActiveRevision(state);
  const escalations = keepEscalated(listEscalations(state.chunks, state.run.config.limits).rows);
  if (revision === null || escalations.length === 0) return NO_STOPS;
  const escalated = new Map(escalations.map((entry) => [entry.chunk, entry]));
  const stopped = new Map<ChunkId, ChunkId>();
  for (const root of escalated.keys()) {
    for (const id of descendants(revision.plan.chunks, root)) {
      const chunk = findRow(state.chunks, id as ChunkId);
      if (
        chunk !== undefined &&
        chunk.landed === null &&
        !chunk.skipped &&
        !escalated.has(chunk.id) &&
        !stopped.has(chunk.id) &&
        // Begun when its dependencies were settled, it goes on.
        findLiveAttempt(chunk) === null
      )
        stopped.set(chunk.id, root);
    }
  }
  return { escalated, stopped };
}

/** The stages in which an attempt still may land. */
const LIVE: ReadonlySet<AttemptState["stage"]> = new Set([
  "implementing",
  "received",
  "committed",
  "floor-passed",
  "verified",
]);

/** The attempt that may still land, or null when a new one is needed (or none ever was). */
export function findLiveAttempt(chunk: ChunkState): AttemptState | null {
  const last = chunk.attempts.at(-1);
  return last !== undefined && LIVE.has(last.stage) ? last : null;
}

export interface LiveAttempt {
  readonly chunk: ChunkState;
  readonly attempt: AttemptState;
}

const findLiveAttempts = perRow((chunk: ChunkState): LiveAttempt | null => {
  const attempt = findLiveAttempt(chunk);
  return attempt === null ? null : { chunk, attempt };
});

/** In the order of the plan. */
export function listLiveAttempts(state: RunState): readonly LiveAttempt[] {
  return keepLive(findLiveAttempts(state.chunks).rows);
}

const keepLive = once((attempts: ReadonlyArray<LiveAttempt | null>) => attempts.filter((entry) => entry !== null));

/** A scope is held from dispatch until the chunk has landed, is superseded, or is a person's business. */
export function holdsScope(chunk: ChunkState, limits: Config["limits"]): boolean {
  if (chunk.landed !== null || chunk.skipped) return false;
  if (chunk.taken !== null) return true;
  const last = chunk.attempts.at(-1);
  if (last === undefined || last.stage === "superseded") return false;
  // `/retry` counts afresh without ending what is under way.
  if (findLiveAttempt(chunk) === null && chunk.attempts.length <= chunk.countFrom) return false;
  return deriveEscalation(chunk, limits) === null;
}

/** landed or dropped by a person. */
export function isSettled(chunk: ChunkState): boolean {
  return chunk.landed !== null || chunk.skipped;
}

const settledOf = perRow(isSettled);
const areAll = once((flags: readonly boolean[]) => flags.every(Boolean));

/** Whether nothing of the plan is left to build; also true of no chunks at all. */
export function isAllSettled(state: RunState): boolean {
  return areAll(settledOf(state.chunks).rows);
}

const landedOf = perRow((chunk: ChunkState) => (chunk.landed === null ? null : chunk));
const keepLanded = once((chunks: ReadonlyArray<ChunkState | null>) => chunks.filter((chunk) => chunk !== null));

/** In the order of the plan; those that a revision has dropped since come last. */
export function listLanded(state: RunState): readonly ChunkState[] {
  return keepLanded(landedOf(state.chunks).rows);
}

const keepPlanned = onceOf((landed: readonly ChunkState[], revision: PlanRevision): readonly ChunkId[] =>
  landed.filter(({ id }) => findChunk(revision, id) !== undefined).map(({ id }) => id),
);

/**
 * Of the plan that is built now, in its order. What landed and was dropped by a revision is undone by another chunk:
 * nobody holds the branch to its checks any more, and the plan that jobs are given does not name it.
 */
export function listLandedIds(state: RunState): readonly ChunkId[] {
  const revision = deriveActiveRevision(state);
  return revision === null ? [] : keepPlanned(listLanded(state), revision);
}

/** Whether it landed, and the plan that is built now does without it. */
export function isUndone(state: RunState, chunk: ChunkState): boolean {
  const revision = deriveActiveRevision(state);
  return chunk.landed !== null && revision !== null && findChunk(revision, chunk.id) === undefined;
}

/** People dropped every chunk of the plan: only they know what the run is still for. */
export function isAllDropped(state: RunState): boolean {
  const { rows } = state.chunks;
  return rows.length > 0 && rows.every((chunk) => chunk.skipped && (chunk.landed === null || isUndone(state, chunk)));
}

export type ChunkPhase =
  | "waiting"
  | "ready"
  | "implementing"
  | "validating"
  | "reviewing"
  | "verified"
  | "landed"
  | "skipped"
  | "retrying"
  | "escalated"
  | "stopped";

/** One word for people. */
export function deriveChunkPhase(
  chunk: ChunkState,
  state: RunState,
  stops: ReturnType<typeof deriveStops>,
): ChunkPhase {
  if (chunk.landed !== null) return "landed";
  if (chunk.skipped) return "skipped";
  if (stops.escalated.has(chunk.id)) return "escalated";
  if (stops.stopped.has(chunk.id)) return "stopped";
  const live = findLiveAttempt(chunk);
  if (live === null) {
    if (chunk.attempts.length > chunk.countFrom) return "retrying";
    const revision = deriveActiveRevision(state);
    const deps = (revision === null ? undefined : findChunk(revision, chunk.id))?.deps ?? [];
    const open = deps.some((dep) => {
      const other = findRow(state.chunks, dep as ChunkId);
      return other !== undefined && !isSettled(other);
    });
    return open ? "waiting" : "ready";
  }
  switch (live.stage) {
    case "implementing":
    case "received":
      return "implementing";
    case "committed":
      return "validating";
    case "floor-passed":
      return "reviewing";
    default:
      return "verified";
  }
}
