/** What waits to be landed, and what rides the next candidate. */
import { createHash } from "node:crypto";
import type { Violation } from "../../contracts/floor-result.ts";
import type { Sha } from "../../contracts/ids.ts";
import type { AttemptState, CandidateState, ChunkState, RunState } from "../state.ts";
import { listLiveAttempts } from "./chunk-progress.ts";
import { listOpenGates } from "./overrides.ts";
import { MAX_LOST_JOBS } from "./unusual.ts";
import { findRow } from "../table.ts";

export interface Verified {
  readonly chunk: ChunkState;
  readonly attempt: AttemptState;
  readonly head: Sha;
}

/** Verified chunks in the order in which they were verified. */
export function listVerified(state: RunState): readonly Verified[] {
  const verified: Array<Verified & { at: number }> = [];
  for (const { chunk, attempt } of listLiveAttempts(state)) {
    if (attempt.stage !== "verified" || attempt.head === null) continue;
    const job = attempt.review === null ? undefined : findRow(state.jobs, attempt.review.job);
    verified.push({ chunk, attempt, head: attempt.head, at: job?.endedAt ?? 0 });
  }
  return verified.sort((a, b) => a.at - b.at);
}

/** The candidate whose floor gives no result, so that nothing lands until people have looked; or null. */
export function findLostCandidate(state: RunState): CandidateState | null {
  const tip = state.integration?.tip;
  if (tip === undefined || !state.candidates.rows.some((candidate) => candidate.lostJobs >= MAX_LOST_JOBS)) return null;
  const open = findOpenCandidate(state, listVerified(state), tip);
  return open !== null && open.lostJobs >= MAX_LOST_JOBS ? open : null;
}

/** Names a candidate by what it is made of, so that building it twice gives one branch. */
export function formatCandidateHash(tip: Sha, heads: readonly Sha[]): string {
  return createHash("sha256")
    .update([tip, ...[...heads].sort()].join("\n"))
    .digest("hex")
    .slice(0, 12);
}

/** A candidate on this tip whose floor is not known yet and whose chunks are all still verified. */
export function findOpenCandidate(state: RunState, verified: readonly Verified[], tip: Sha): CandidateState | null {
  return (
    state.candidates.rows.findLast(
      (candidate) => candidate.floor === null && listRiders(candidate, verified, tip) !== null,
    ) ?? null
  );
}

/**
 * What a candidate's floor comes to; null = not known yet. What a person overruled for a chunk stays overruled
 * when it rides alone, but only as far as they could see it: what else fails there is new.
 */
export function deriveCandidateOutcome(
  state: RunState,
  { floor, chunks: [only, ...others] }: CandidateState,
): "pass" | "fail" | null {
  if (floor === null || floor.result.outcome === "pass") return floor === null ? null : "pass";
  const attempt = only === undefined || others.length > 0 ? undefined : findRow(state.chunks, only)?.attempts.at(-1);
  if (attempt === undefined) return "fail";
  const subject = { chunk: only ?? null, attempt: attempt.n, accept: null };
  if (listOpenGates(floor.result, state, subject).length > 0) return "fail";
  const seen = new Set([...(attempt.floor?.result.violations ?? []), ...attempt.integration].map(formatViolation));
  return floor.result.violations.every((violation) => seen.has(formatViolation(violation))) ? "pass" : "fail";
}

function formatViolation({ gate, rule, path = "", message }: Violation): string {
  return JSON.stringify([gate, rule, path, message]);
}

/**
 * A candidate on this tip that passed, with its chunks. It lands before anything else rides: chunks that
 * were verified meanwhile would otherwise make every result worthless again.
 */
export function findPassedCandidate(
  state: RunState,
  verified: readonly Verified[],
  tip: Sha,
): { readonly candidate: CandidateState; readonly riders: readonly Verified[]; readonly document: string } | null {
  const { rows } = state.candidates;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const candidate = rows[index];
    if (candidate === undefined || candidate.floor === null || deriveCandidateOutcome(state, candidate) !== "pass")
      continue;
    const riders = listRiders(candidate, verified, tip);
    if (riders !== null) return { candidate, riders, document: candidate.floor.document };
  }
  return null;
}

/** The verified chunks a candidate is made of, or null when it is on another tip or one of them is not as it was. */
function listRiders(candidate: CandidateState, verified: readonly Verified[], tip: Sha): readonly Verified[] | null {
  if (candidate.base !== tip) return null;
  const riders = verified.filter((entry) => candidate.chunks.includes(entry.chunk.id));
  const heads = riders.map((entry) => entry.head);
  return riders.length === candidate.chunks.length && formatCandidateHash(tip, heads) === candidate.hash
    ? riders
    : null;
}

/** All that wait, halved as often as that very group has failed on this tip. */
export function deriveRiders(state: RunState, verified: readonly Verified[], tip: Sha): readonly Verified[] {
  let group = verified;
  for (;;) {
    const hash = formatCandidateHash(
      tip,
      group.map((entry) => entry.head),
    );
    const candidate = findRow(state.candidates, hash);
    const failed = candidate !== undefined && deriveCandidateOutcome(state, candidate) === "fail";
    if (!failed || group.length <= 1) return group;
    group = group.slice(0, Math.ceil(group.length / 2));
  }
}
