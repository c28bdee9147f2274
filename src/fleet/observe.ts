/** What is looked at on GitHub, because of a hint or because it is overdue, and the facts that come of it. */
import { deriveAcceptStep } from "../engine/derive/accept-progress.ts";
import { listOpenJobs } from "../engine/derive/jobs.ts";
import type { Fact } from "../engine/fact.ts";
import type { ChunkId, JobId } from "../contracts/ids.ts";
import { observeChunkBranch } from "./observe/observe-chunk-branch.ts";
import { observeCi } from "./observe/observe-ci.ts";
import { listConversations, observeComments } from "./observe/observe-comments.ts";
import { observeJob } from "./observe/observe-job.ts";
import { observeIssue } from "./observe/observe-issue.ts";
import { observeReviews } from "./observe/observe-reviews.ts";
import { observePull } from "./observe/observe-pull.ts";
import { parseRunEnd } from "./observe/run-end.ts";
import { observeTip } from "./observe/tip.ts";
import type { RunState } from "../engine/state.ts";
import type { RunSession } from "./run-session.ts";
import { findRow } from "../engine/table.ts";

/** A thing to look at. Its text is also the hint that points at it. */
export type Target =
  | `job:${string}`
  | `comments:${number}`
  | `pull:${number}`
  | `branch:${string}`
  | `issue:${number}`
  | "tip"
  | "ci";

/** Everything worth watching in this state. */
export function listTargets(session: RunSession): readonly Target[] {
  const { state, fleet } = session;
  const targets: Target[] = [];
  for (const job of listOpenJobs(state)) targets.push(`job:${job.job}`);
  const over = listOverPulls(state);
  for (const number of new Set(listConversations(session))) {
    if (number !== state.run.issue) {
      if (over.has(number)) continue;
      targets.push(`pull:${number}`);
    }
    targets.push(`comments:${number}`);
  }
  if (state.ended === null) targets.push(`issue:${state.run.issue}`);
  if (state.integration !== null && state.ended === null) targets.push("tip");
  for (const chunk of state.chunks.rows)
    if (chunk.landed === null && !chunk.skipped && (chunk.taken !== null || chunk.attempts.length > 0))
      targets.push(`branch:${chunk.id}`);
  const step = deriveAcceptStep(state, fleet.clock.now());
  // Also after a failure: whoever runs a failed check again waits for nothing else.
  const checked = step.step === "person" && (step.problem === "late" || step.problem === "ci");
  if (step.step === "ci" || checked) targets.push("ci");
  return targets;
}

/** Pull requests that nothing can happen to any more. One that was closed and reopened is in the list a second time. */
function listOverPulls(state: RunState): ReadonlySet<number> {
  const over = new Set<number>();
  for (const { number, settled } of state.chunks.rows.flatMap((chunk) => chunk.pulls))
    if (settled === null) over.delete(number);
    else over.add(number);
  const feature = state.featurePull;
  // People who closed it may say so there, reopen and merge it.
  const undecided = state.merged === null && state.cancelled === null && state.ended === null;
  if (feature !== null && feature.settled !== null && !(feature.settled === "closed" && undecided))
    over.add(feature.number);
  return over;
}

/** Why a target is looked at: because of a hint, which may carry a note, or because its time has come. */
export type Occasion = { readonly kind: "hinted"; readonly note: string | null } | { readonly kind: "due" };

/** Which targets a hint points at. A hint may carry a note, after a `@`: who did it, or what a webhook said. */
export function readHint(session: RunSession, hint: string): readonly Target[] {
  const all = listTargets(session);
  const [name, note] = splitHint(hint);
  // A push that left the branch where it is known to be, as all of our own do, is nothing new.
  if (name === "tip" && note !== null && note === session.state.integration?.tip) return [];
  if (hint === "sweep") return all;
  // Somebody speaks there, as with `/retry` below what they have closed: looked at only when a webhook says so.
  const spoken = listConversations(session).map((number): Target => `comments:${number}`);
  return [...new Set([...all, ...spoken])].filter((target) => target === name);
}

/** The occasion of each target that a hint names. */
export function readOccasions(hints: readonly string[]): ReadonlyMap<string, Occasion> {
  const occasions = new Map<string, Occasion>();
  for (const hint of hints) {
    const [name, note] = splitHint(hint);
    // Of several hints at one thing, one without a note takes back nothing.
    if (note !== null || !occasions.has(name)) occasions.set(name, { kind: "hinted", note });
  }
  return occasions;
}

function splitHint(hint: string): readonly [name: string, note: string | null] {
  const at = hint.lastIndexOf("@");
  return at <= 0 ? [hint, null] : [hint.slice(0, at), hint.slice(at + 1)];
}

export async function observe(session: RunSession, target: Target, occasion: Occasion): Promise<readonly Fact[]> {
  const [kind, rest] = split(target);
  const note = occasion.kind === "hinted" ? occasion.note : null;
  switch (kind) {
    case "job": {
      const job = findRow(session.state.jobs, rest as JobId);
      return job === undefined ? [] : observeJob(session, job, note === null ? null : parseRunEnd(note));
    }
    case "comments":
      return observeConversation(session, Number(rest));
    case "branch":
      return observeChunkBranch(session, rest as ChunkId, note);
    case "issue":
      return observeIssue(session, note);
    case "pull":
      return observePull(session, Number(rest), note);
    case "ci":
      return observeCi(session);
    case "tip":
      return observeTip(session);
    default:
      return [];
  }
}

async function observeConversation(session: RunSession, number: number): Promise<readonly Fact[]> {
  const { state, repository } = session;
  if (number === state.run.issue) return observeComments(session, number, []);
  const reviews = await repository.loadReviews(number);
  return [...(await observeComments(session, number, reviews)), ...(await observeReviews(session, number, reviews))];
}

function split(target: Target): readonly [kind: string, rest: string] {
  const colon = target.indexOf(":");
  return colon === -1 ? [target, ""] : [target.slice(0, colon), target.slice(colon + 1)];
}
