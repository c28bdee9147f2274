/** Which check runs and texts should exist, derived from the state; each revision changes with its content. */
import type { ChunkId, Sha } from "../../contracts/ids.ts";
import type { CheckName } from "../../contracts/names.ts";
import type { CheckSubject } from "../action.ts";
import type { RunState } from "../state.ts";
import { listQuestions } from "./needs.ts";

export interface DesiredCheck {
  readonly externalId: string;
  readonly name: CheckName;
  readonly sha: Sha;
  readonly subject: CheckSubject;
  readonly revision: string;
}

export function listDesiredChecks(state: RunState, now: number): readonly DesiredCheck[] {
  const { run } = state.run;
  const checks: DesiredCheck[] = [];
  for (const { rev, commit } of state.revisions) {
    const approved = state.approved !== null && state.approved.rev >= rev;
    checks.push({
      externalId: `${run}:plan:${rev}`,
      name: "taskfleet/plan",
      sha: commit,
      subject: { kind: "plan", rev },
      revision: approved ? "approved" : state.cancelled !== null ? "cancelled" : "proposed",
    });
  }
  for (const chunk of Object.values(state.chunks)) {
    let head: Sha | null = null;
    for (const attempt of chunk.attempts) {
      head = attempt.head ?? head;
      const refused = attempt.problems.length > 0 && attempt.head === null;
      if (attempt.floor !== null || refused)
        checks.push({
          externalId: `${run}:floor:${chunk.id}:${attempt.n}`,
          name: "taskfleet/floor",
          // A refused change set has no commit: its check goes on the branch's current head.
          sha: attempt.head ?? head ?? attempt.base,
          subject: { kind: "floor", chunk: chunk.id, attempt: attempt.n },
          revision: `${attempt.floor?.job ?? "refused"}${countOverrides(state, chunk.id, attempt.n)}`,
        });
      if (attempt.review !== null && attempt.head !== null)
        checks.push({
          externalId: `${run}:review:${chunk.id}:${attempt.n}`,
          name: "taskfleet/review",
          sha: attempt.head,
          subject: { kind: "review", chunk: chunk.id, attempt: attempt.n },
          revision: `${attempt.review.job}${countOverrides(state, chunk.id, attempt.n)}`,
        });
    }
  }
  for (const candidate of state.candidates) {
    if (candidate.floor === null) continue;
    checks.push({
      externalId: `${run}:candidate:${candidate.hash}`,
      name: "taskfleet/floor",
      sha: candidate.commit,
      subject: { kind: "candidate", hash: candidate.hash },
      revision: candidate.floor.job,
    });
  }
  for (const accept of state.accepts) {
    if (accept.branch === "" && accept.conflict !== null) continue;
    const done = accept.floor !== null && (accept.floor.result.outcome === "fail" || accept.review !== null);
    if (!done) continue;
    const ci = accept.ci?.state ?? (accept.accepted === null ? "none" : "pending");
    checks.push({
      externalId: `${run}:accept:${accept.n}:${accept.accepted === null ? "candidate" : "commit"}`,
      name: "taskfleet/accept",
      sha: accept.accepted ?? accept.commit,
      subject: { kind: "accept", n: accept.n },
      revision: `${accept.floor?.job ?? ""}|${accept.review?.job ?? ""}|${ci}|${accept.stale ?? ""}${countOverrides(state, null, accept.n)}`,
    });
  }
  const overall = deriveRunCheck(state, now);
  if (overall !== null) checks.push(overall);
  return checks;
}

/** A check is shown anew when a person overrules what it found. @param n attempt, or acceptance when `chunk` is null */
function countOverrides(state: RunState, chunk: ChunkId | null, n: number): string {
  const count = state.overrides.filter(
    (one) => one.chunk === chunk && (chunk === null ? one.accept : one.attempt) === n,
  ).length;
  return count === 0 ? "" : `|overruled:${count}`;
}

/** The check `taskfleet` appears on the feature's head when people should look: it waits for them, or it is over. */
function deriveRunCheck(state: RunState, now: number): DesiredCheck | null {
  const tip = state.integration?.tip;
  if (tip === undefined || state.featurePull === null) return null;
  const needs = listQuestions(state, now);
  const accepted = state.accepts.at(-1)?.accepted ?? null;
  const revision =
    state.merged !== null
      ? "merged"
      : state.cancelled !== null
        ? "cancelled"
        : needs.length > 0
          ? `needs:${needs.map((need) => need.key).join(",")}`
          : accepted === tip
            ? "accepted"
            : null;
  if (revision === null) return null;
  return {
    externalId: `${state.run.run}:run:${tip.slice(0, 12)}`,
    name: "taskfleet",
    sha: tip,
    subject: { kind: "run" },
    revision,
  };
}

/** Changes when the feature pull request's body should: not at every attempt. */
export function derivePullRevision(state: RunState, now: number): string {
  const landed = Object.values(state.chunks).filter((chunk) => chunk.landed !== null).length;
  const pulls = Object.values(state.chunks).reduce((sum, chunk) => sum + chunk.pulls.length, 0);
  const accept = state.accepts.at(-1);
  const needs = listQuestions(state, now).length;
  return [
    state.revisions.length,
    state.approved?.rev ?? 0,
    landed,
    // Links of new pull requests ride along with the next landing, unless nothing lands for long.
    landed === 0 ? Math.min(pulls, 1) : 0,
    needs,
    accept?.accepted ?? "",
    state.merged?.commit ?? "",
    state.cancelled === null ? "" : "cancelled",
  ].join(".");
}
