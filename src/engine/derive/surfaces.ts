/** Which check runs and texts should exist, derived from the state; each revision changes with its content. */
import type { ChunkId, RunKey, Sha } from "../../contracts/ids.ts";
import type { CheckName } from "../../contracts/names.ts";
import type { CheckSubject } from "../action.ts";
import type { CandidateState, ChunkState, RunState } from "../state.ts";
import { findRow, flattenRows, perRow, perRowFinding, type Table } from "../table.ts";
import { listLandedIds } from "./chunk-progress.ts";
import { derivePlanVerdict, type PlanVerdict } from "./plan-verdict.ts";
import { deriveStanding, formatStanding, type Standing } from "./standing.ts";

export interface DesiredCheck {
  readonly externalId: string;
  readonly name: CheckName;
  readonly sha: Sha;
  readonly subject: CheckSubject;
  readonly revision: string;
}

export function listDesiredChecks(state: RunState, now: number): readonly DesiredCheck[] {
  return [
    ...listPlanChecks(state),
    ...flattenRows(listChunkChecks(state)),
    ...flattenRows(listCandidateChecks(state)),
    ...listAcceptChecks(state),
    ...listRunChecks(state, now),
  ];
}

/** Those that are not shown yet, or not as they should be. */
export function listDueChecks(state: RunState, now: number): readonly DesiredCheck[] {
  const find = (externalId: string) => findRow(state.checks, externalId);
  return [
    ...keepDue(listPlanChecks(state), find),
    ...flattenRows(dueOfChunks(listChunkChecks(state), state.checks)),
    ...flattenRows(dueOfCandidates(listCandidateChecks(state), state.checks)),
    ...keepDue(listAcceptChecks(state), find),
    ...keepDue(listRunChecks(state, now), find),
  ];
}

/** The check of the whole run, where it does not say yet what is so. */
export function findDueRunCheck(state: RunState, now: number): DesiredCheck | null {
  return keepDue(listRunChecks(state, now), (externalId) => findRow(state.checks, externalId))[0] ?? null;
}

const NONE: readonly DesiredCheck[] = [];

function keepDue(
  desired: readonly DesiredCheck[],
  find: (externalId: string) => RunState["checks"]["rows"][number] | undefined,
): readonly DesiredCheck[] {
  const due = desired.filter((check) => find(check.externalId)?.revision !== check.revision);
  return due.length === 0 ? NONE : due;
}

const dueOfChunks = perRowFinding(keepDue);
const dueOfCandidates = perRowFinding(keepDue);

function listPlanChecks(state: RunState): readonly DesiredCheck[] {
  return state.revisions.flatMap((revision): readonly DesiredCheck[] => {
    const { rev, commit } = revision;
    const externalId = `${state.run.run}:plan:${rev}`;
    const verdict = derivePlanVerdict(state, revision);
    // What nobody can approve any more is said where it was shown; nowhere else does it matter.
    const isOver = verdict.kind !== "approved" && verdict.kind !== "person" && verdict.kind !== "policy";
    if (isOver && !mayBeShown(state, externalId) && state.countBase === 0) return [];
    const subject = { kind: "plan", rev } as const;
    return [{ externalId, name: "taskfleet/plan", sha: commit, subject, revision: formatPlanVerdict(verdict) }];
  });
}

function formatPlanVerdict(verdict: PlanVerdict): string {
  switch (verdict.kind) {
    case "replaced":
      return `replaced:${verdict.rev}`;
    case "person":
      return "proposed";
    default:
      return verdict.kind;
  }
}

/** It stands on GitHub, or may stand there although no fact says so. */
function mayBeShown(state: RunState, externalId: string): boolean {
  const effect = `check:${externalId}`;
  return (
    findRow(state.checks, externalId) !== undefined ||
    state.pending[effect] !== undefined ||
    state.failures[effect] !== undefined
  );
}

function listChunkChecks(state: RunState): Table<ChunkId, readonly DesiredCheck[]> {
  return checksOfChunks(state.chunks, state.run.run, state.overrides);
}

const checksOfChunks = perRow((chunk: ChunkState, run: RunKey, overrides: RunState["overrides"]) => {
  const checks: DesiredCheck[] = [];
  let head: Sha | null = null;
  for (const attempt of chunk.attempts) {
    head = attempt.head ?? head;
    const refused = attempt.problems.length > 0;
    if (attempt.floor !== null || refused)
      checks.push({
        externalId: `${run}:floor:${chunk.id}:${attempt.n}`,
        name: "taskfleet/floor",
        // A refused change set has no commit, unless somebody pushed it: its check goes on the branch's current head.
        sha: attempt.head ?? head ?? attempt.base,
        subject: { kind: "floor", chunk: chunk.id, attempt: attempt.n },
        revision: `${attempt.floor?.job ?? "refused"}${countOverrides(overrides, chunk.id, attempt.n)}`,
      });
    if (attempt.review !== null && attempt.head !== null)
      checks.push({
        externalId: `${run}:review:${chunk.id}:${attempt.n}`,
        name: "taskfleet/review",
        sha: attempt.head,
        subject: { kind: "review", chunk: chunk.id, attempt: attempt.n },
        revision: `${attempt.review.job}${countOverrides(overrides, chunk.id, attempt.n)}`,
      });
  }
  return checks.length === 0 ? NONE : checks;
});

function listCandidateChecks(state: RunState): Table<string, readonly DesiredCheck[]> {
  return checksOfCandidates(state.candidates, state.run.run);
}

/** One that passed needs none: the record of its landing, which follows at once, names what verified it. */
const checksOfCandidates = perRow((candidate: CandidateState, run: RunKey): readonly DesiredCheck[] =>
  candidate.floor?.result.outcome !== "fail"
    ? NONE
    : [
        {
          externalId: `${run}:candidate:${candidate.hash}`,
          name: "taskfleet/floor",
          sha: candidate.commit,
          subject: { kind: "candidate", hash: candidate.hash },
          revision: candidate.floor.job,
        },
      ],
);

function listAcceptChecks(state: RunState): readonly DesiredCheck[] {
  return state.accepts.flatMap((accept): readonly DesiredCheck[] => {
    if (accept.branch === "" && accept.conflict !== null) return [];
    const done = accept.floor !== null && (accept.floor.result.outcome === "fail" || accept.review !== null);
    if (!done) return [];
    const ci = accept.ci?.state ?? (accept.accepted === null ? "none" : "pending");
    const overruled = countOverrides(state.overrides, null, accept.n);
    return [
      {
        externalId: `${state.run.run}:accept:${accept.n}:${accept.accepted === null ? "candidate" : "commit"}`,
        name: "taskfleet/accept",
        sha: accept.accepted ?? accept.commit,
        subject: { kind: "accept", n: accept.n },
        revision: `${accept.floor?.job ?? ""}|${accept.review?.job ?? ""}|${ci}|${accept.stale ?? ""}${overruled}`,
      },
    ];
  });
}

/** A check is shown anew when a person overrules what it found. @param n attempt, or acceptance when `chunk` is null */
function countOverrides(overrides: RunState["overrides"], chunk: ChunkId | null, n: number): string {
  const count = overrides.filter(
    (one) => one.chunk === chunk && (chunk === null ? one.accept : one.attempt) === n,
  ).length;
  return count === 0 ? "" : `|overruled:${count}`;
}

/**
 * The check `taskfleet` appears on the feature's head when people should look: it waits for them, the feature is
 * accepted, or the run is over. Where it stands it goes on saying what is so.
 */
function listRunChecks(state: RunState, now: number): readonly DesiredCheck[] {
  const tip = state.integration?.tip;
  if (tip === undefined) return NONE;
  const externalId = `${state.run.run}:run:${tip.slice(0, 12)}`;
  const standing = deriveStanding(state, now);
  const isAccepted = state.accepts.at(-1)?.accepted === tip;
  // The feature's pull request may be gone, until it is opened anew: what is shown of it by then is mended all the same.
  const appears = state.featurePull !== null && (isAccepted || APPEARS.has(standing.at));
  if (!appears && !mayBeShown(state, externalId)) return NONE;
  const revision = formatStanding(state, standing);
  return [{ externalId, name: "taskfleet", sha: tip, subject: { kind: "run" }, revision }];
}

const APPEARS: ReadonlySet<Standing["at"]> = new Set(["asked", "blocked", "merged", "cancelled"]);

/** Changes when the feature pull request's body should: not at every attempt. */
export function derivePullRevision(state: RunState, now: number): string {
  const landed = listLandedIds(state).length;
  return [
    state.revisions.length,
    state.approved?.rev ?? 0,
    landed,
    // Links of new pull requests ride along with the next landing, unless nothing lands for long.
    landed === 0 && state.chunks.rows.some((chunk) => chunk.pulls.length > 0) ? 1 : 0,
    formatStanding(state, deriveStanding(state, now)),
  ].join(".");
}
