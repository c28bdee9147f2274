import type { ChunkId, Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import { listChunkBlockers } from "../derive/blockers.ts";
import { isRefusedForGood } from "../derive/given-up.ts";
import { listLandedIds } from "../derive/chunk-progress.ts";
import { formatReviewKey } from "../derive/review-key.ts";
import { deriveNextJob, findOpenJob } from "../derive/jobs.ts";
import { derivePurpose } from "../derive/purpose.ts";
import {
  deriveRiders,
  findOpenCandidate,
  findPassedCandidate,
  formatCandidateHash,
  listVerified,
  type Verified,
} from "../derive/landing-queue.ts";
import { MAX_LOST_JOBS } from "../derive/unusual.ts";
import { deriveActiveRevision, findHold } from "../derive/plan-progress.ts";
import type { CandidateState, RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";
import { buildDocuments, buildPlanDocument, buildRequest, formatPullEffect } from "./build-request.ts";
import { formatReviewEffect } from "./decide-surfaces.ts";
import { waitForJob } from "./wait-for-job.ts";

/** One landing at a time. A chunk built on the tip lands as it is; otherwise all that wait ride one candidate. */
export function decideLanding(builder: ActionBuilder, state: RunState): void {
  const tip = state.integration?.tip;
  const verified = listVerified(state).filter(
    (entry) => !awaitsVerdict(builder, state, entry) && !isBlocked(builder, state, entry),
  );
  if (tip === undefined || verified.length === 0) return;
  const hold = findHold(state);
  if (hold !== null) {
    for (const { chunk } of verified)
      builder.wait({ subject: chunk.id, chunks: [chunk.id], ...hold, what: `verified, but ${hold.what}` });
    return;
  }
  const landing = decideLandingOf(builder, state, verified, tip);
  const names = formatCodes(landing);
  for (const { chunk } of verified)
    if (!landing.includes(chunk.id))
      builder.wait({
        subject: chunk.id,
        chunks: [chunk.id],
        what: `lands after ${names}`,
        until: null,
        unblock: landing.length === 1 ? "that has landed or failed" : "these have landed or failed",
      });
}

/** @returns the chunks that land next: directly, or together on a candidate. */
function decideLandingOf(
  builder: ActionBuilder,
  state: RunState,
  verified: readonly Verified[],
  tip: Sha,
): readonly ChunkId[] {
  const open = findOpenCandidate(state, verified, tip);
  if (open !== null) {
    decideCandidate(builder, state, open);
    return open.chunks;
  }
  const passed = findPassedCandidate(state, verified, tip);
  if (passed !== null) {
    const { candidate, riders, document } = passed;
    land(builder, tip, riders, { verified: candidate.commit, document, via: "candidate" });
    return listIds(riders);
  }
  const direct = verified.find((entry) => entry.attempt.base === tip);
  if (direct !== undefined) {
    land(builder, tip, [direct], {
      verified: direct.head,
      document: direct.attempt.floor?.document ?? "",
      via: "direct",
    });
    return listIds([direct]);
  }
  const riders = deriveRiders(state, verified, tip);
  const hash = formatCandidateHash(
    tip,
    riders.map((entry) => entry.head),
  );
  builder.add(
    `candidate:${hash}`,
    "landing",
    `The integration branch has moved: verifying ${formatIds(riders)} together on its tip`,
    {
      kind: "CreateCandidate",
      chunks: listIds(riders),
      hash,
      tip,
    },
  );
  return listIds(riders);
}

/**
 * Its pull request is being opened, or may be there already, or the verdict does not stand on it yet: nothing
 * lands before people could look. What GitHub refuses holds up nothing, and people are told; yet once may have been
 * a passing refusal, so it is waited until it is refused again, minutes later.
 */
function awaitsVerdict(builder: ActionBuilder, state: RunState, { chunk, attempt }: Verified): boolean {
  const effect =
    chunk.pulls.length === 0 ? formatPullEffect(chunk) : formatReviewEffect(formatReviewKey(chunk.id, attempt));
  return !isRefusedForGood(state, effect) && builder.has(effect);
}

/** A writer's standing request for changes stops a landing, unless it was overruled. */
function isBlocked(builder: ActionBuilder, state: RunState, { chunk, attempt }: Verified): boolean {
  const blockers = listChunkBlockers(state, chunk, attempt.n);
  if (blockers.length === 0) return false;
  builder.wait({
    subject: chunk.id,
    chunks: [chunk.id],
    what: `verified, but ${blockers.join(", ")} requested changes`,
    until: null,
    unblock: "the review is dismissed, or `/override review <why>` on the pull request",
  });
  return true;
}

function land(
  builder: ActionBuilder,
  tip: Sha,
  riders: readonly Verified[],
  how: { readonly verified: Sha; readonly document: string; readonly via: "direct" | "candidate" },
): void {
  builder.add(
    `land:${how.verified}:${tip}`,
    "landing",
    `Landing ${formatIds(riders)}: floor and review passed on this very tree`,
    {
      kind: "LandChunks",
      chunks: listIds(riders),
      tip,
      ...how,
    },
  );
}

function decideCandidate(builder: ActionBuilder, state: RunState, candidate: CandidateState): void {
  const subjectName = `candidate-${candidate.hash}`;
  const open = findOpenJob(state, { role: "floor", subject: subjectName });
  if (open !== null) {
    waitForJob(builder, state, open);
    return;
  }
  if (candidate.lostJobs >= MAX_LOST_JOBS) {
    builder.wait({
      subject: "landing",
      chunks: candidate.chunks,
      what: `the floor of candidate ${candidate.hash} gave no result ${candidate.lostJobs} times`,
      until: null,
      unblock: `\`/retry ${candidate.chunks[0] ?? ""}\`, \`/replan\` or \`/cancel\``,
    });
    return;
  }
  const revision = deriveActiveRevision(state);
  if (revision === null) return;
  const { job, subject } = deriveNextJob(state, { role: "floor", subject: subjectName });
  const landed = listLandedIds(state);
  builder.add(
    `job:${job}`,
    "landing",
    `Running the floor on ${candidate.chunks.join(", ")} together with what has landed`,
    {
      kind: "DispatchJob",
      dispatch: {
        job,
        subject,
        branch: formatBranch({ kind: "candidate", run: state.run.run, hash: candidate.hash }),
        branchAt: null,
        request: {
          ...buildRequest(state, subject, job, candidate.commit, revision.rev),
          base: candidate.base,
          checks: { chunks: [...landed, ...candidate.chunks], acceptance: false },
        },
        documents: { ...buildDocuments(state), intent: null, plan: buildPlanDocument(revision) },
        attempt: null,
        attemptOf: null,
        purpose: derivePurpose(state, subject),
      },
    },
  );
}

function listIds(riders: readonly Verified[]): readonly ChunkId[] {
  return riders.map((entry) => entry.chunk.id);
}

function formatIds(riders: readonly Verified[]): string {
  return listIds(riders).join(", ");
}

/** More names than these are a list nobody reads. */
const MOST_NAMES = 6;

function formatCodes(ids: readonly ChunkId[]): string {
  const names = ids.slice(0, MOST_NAMES).map((id) => `\`${id}\``);
  const rest = ids.length - names.length;
  const last = rest > 0 ? `${rest} more` : names.pop();
  return names.length === 0 ? (last ?? "") : `${names.join(", ")} and ${last}`;
}
