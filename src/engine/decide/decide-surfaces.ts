import { deriveNeeds } from "../derive/needs.ts";
import { MARKED_WITHIN_MS } from "../derive/branches.ts";
import { derivePullRevision, type DesiredCheck, listDueChecks } from "../derive/surfaces.ts";
import { formatReviewKey } from "../derive/review-key.ts";
import { isOverruled } from "../derive/overrides.ts";
import { type ActionWork, type CommentSubject, type Priority, STATUS_EFFECT } from "../action.ts";
import type { ChunkState, RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";
import { flattenRows, perRowFinding } from "../table.ts";

/** Edits of one text closer together than this are one edit. */
const COALESCE_MS = 15_000;

/** What people see beside reviews: comments, checks, the feature pull request's body. */
export function decideSurfaces(builder: ActionBuilder, state: RunState, now: number): void {
  decideComments(builder, state, now);
  decideDismissals(builder, state, now);
  for (const check of listDueChecks(state, now))
    if (!builder.has(formatCheckEffect(check))) publishCheck(builder, check, "cosmetic");
  const revision = derivePullRevision(state, now);
  if (state.featurePull !== null && state.featurePull.settled !== "closed" && state.featurePull.revision !== revision)
    builder.add("feature-body", "cosmetic", "Showing progress in the feature pull request", {
      kind: "UpdateFeaturePull",
    });
  decideStatus(builder, state, now);
}

/**
 * One name whatever it says: a try that may have happened is looked for under it, and what is refused waits for its
 * next try although that refusal changes what the check should say.
 */
export function formatCheckEffect({ externalId }: Pick<DesiredCheck, "externalId">): string {
  return `check:${externalId}`;
}

export function publishCheck(builder: ActionBuilder, check: DesiredCheck, priority: Priority): void {
  builder.add(formatCheckEffect(check), priority, `Publishing ${check.name}`, { kind: "PublishCheck", ...check });
}

function decideStatus(builder: ActionBuilder, state: RunState, now: number): void {
  if (state.comments["status"] === undefined) {
    post(builder, state, "status", state.run.issue, { kind: "status" }, "Telling people that the run has begun");
    return;
  }
  if (state.status !== null && state.status.shown >= state.shown) return;
  const last = state.status?.at ?? state.startedAt;
  const due = last + COALESCE_MS;
  if (state.status !== null && now < due && state.ended === null) builder.wake(due);
  else
    // Whatever it says by then, it is one edit: that it failed is shown too, and must not make another edit of it.
    builder.add(STATUS_EFFECT, "cosmetic", "Showing progress in the status comment", { kind: "RefreshStatus" });
}

function decideComments(builder: ActionBuilder, state: RunState, now: number): void {
  const answered = new Set<number>();
  for (const command of state.commands) {
    if (answered.has(command.comment)) continue;
    answered.add(command.comment);
    post(
      builder,
      state,
      `answer:${command.comment}`,
      command.on,
      { kind: "answer", command: command.key },
      `Answering ${command.by}`,
    );
  }
  for (const { login, on } of state.strangers)
    post(
      builder,
      state,
      `stranger:${login.toLowerCase()}:${on}`,
      on,
      { kind: "stranger", login },
      `Telling ${login} who may command`,
    );
  for (const need of deriveNeeds(state, now))
    post(builder, state, `need:${need.key}`, state.run.issue, { kind: "need", need: need.key }, "Asking people");
}

function post(
  builder: ActionBuilder,
  state: RunState,
  marker: string,
  on: number,
  subject: CommentSubject,
  reason: string,
): void {
  if (state.comments[marker] !== undefined) return;
  builder.add(`comment:${marker}`, "cosmetic", reason, { kind: "PostComment", on, marker, subject });
}

/**
 * An approval speaks for one commit: it ends when another one arrives, or when a person overrules it. Where a run has
 * ended and GitHub has not marked a landed pull request as merged, somebody has pushed to it: nobody looks at that any
 * more, and the verdict is taken along.
 */
function decideDismissals(builder: ActionBuilder, state: RunState, now: number): void {
  const isOver = state.ended !== null && now >= state.at + MARKED_WITHIN_MS;
  for (const { key, what, pull, id, why } of flattenRows(
    listStaleReviews(state.chunks, state.reviews, state.overrides, isOver),
  ))
    builder.add(`dismiss:${key}`, "cosmetic", `Dismissing the verdict on ${what}`, {
      kind: "DismissReview",
      review: key,
      pull,
      id,
      why,
    });
}

interface StaleReview {
  readonly key: string;
  readonly what: string;
  readonly pull: number;
  readonly id: number;
  readonly why: string;
}

const NONE: readonly never[] = [];
type FindReview = (key: string) => RunState["reviews"]["rows"][number] | undefined;

const listStaleReviews = perRowFinding(
  (
    chunk: ChunkState,
    findReview: FindReview,
    overrides: RunState["overrides"],
    isOver: boolean,
  ): readonly StaleReview[] => {
    // No pull request is open: there is nothing a verdict could stand on.
    if (chunk.pulls.every((pull) => pull.settled !== null)) return NONE;
    const head = chunk.attempts.findLast((attempt) => attempt.head !== null)?.n;
    const stale = listJudgings(chunk.attempts).flatMap(({ n, judging, isNewest }): readonly StaleReview[] => {
      const key = formatReviewKey(chunk.id, { n, judging });
      const review = findReview(key);
      if (review === undefined || review.standsOn === null) return [];
      const pull = chunk.pulls.find((entry) => entry.number === review.standsOn);
      if (pull === undefined || pull.settled !== null) return [];
      const overruled = isOverruled(overrides, "review", { chunk: chunk.id, attempt: n, accept: null });
      const isLeft = isOver && chunk.landed !== null;
      if (n === head && isNewest && !overruled && !isLeft) return [];
      const why = overruled ? `A person overruled the review of attempt ${n}.` : describeStale(chunk, n, isNewest);
      return [{ key, what: `attempt ${n} of ${chunk.id}`, pull: pull.number, id: review.id, why }];
    });
    return stale.length === 0 ? NONE : stale;
  },
);

function describeStale({ id, landed }: ChunkState, n: number, isNewest: boolean): string {
  if (landed !== null && landed.attempt === n)
    return `Attempt ${n} has landed as it was reviewed; nobody has reviewed what was pushed here since.`;
  return isNewest
    ? `Attempt ${n} is not what this pull request holds any more; its successor is reviewed anew.`
    : `The criteria of ${id} have changed; attempt ${n} is reviewed anew.`;
}

/** Every time each attempt was judged, or is to be. */
function listJudgings(
  attempts: ChunkState["attempts"],
): ReadonlyArray<{ readonly n: number; readonly judging: number; readonly isNewest: boolean }> {
  return attempts.flatMap(({ n, judging: newest }) =>
    Array.from({ length: newest + 1 }, (_, judging) => ({ n, judging, isNewest: judging === newest })),
  );
}

/** Posting the verdict that is named so. */
export function formatReviewEffect(key: string): string {
  return `review:${key}`;
}

export function decideReviews(builder: ActionBuilder, state: RunState): void {
  for (const { key, work } of flattenRows(listDueReviews(state.chunks, state.reviews)))
    builder.add(
      formatReviewEffect(key),
      "landing",
      `Posting the verdict on attempt ${work.attempt} of ${work.chunk}`,
      work,
    );
}

interface DueReview {
  readonly key: string;
  readonly work: Extract<ActionWork, { kind: "PostReview" }>;
}

const listDueReviews = perRowFinding((chunk: ChunkState, findReview: FindReview): readonly DueReview[] => {
  const due = chunk.attempts.flatMap((attempt): readonly DueReview[] => {
    const key = formatReviewKey(chunk.id, attempt);
    const pull = chunk.pulls.at(-1);
    if (pull === undefined || attempt.review === null || attempt.head === null || findReview(key) !== undefined)
      return [];
    return [
      {
        key,
        work: {
          kind: "PostReview",
          chunk: chunk.id,
          attempt: attempt.n,
          pull: pull.number,
          sha: attempt.head,
        },
      },
    ];
  });
  return due.length === 0 ? NONE : due;
});
