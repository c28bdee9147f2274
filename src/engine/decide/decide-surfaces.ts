import { deriveNeeds } from "../derive/needs.ts";
import { derivePullRevision, listDesiredChecks } from "../derive/surfaces.ts";
import { isOverruled } from "../derive/overrides.ts";
import type { CommentSubject } from "../action.ts";
import type { RunState } from "../state.ts";
import type { ActionBuilder } from "./action-builder.ts";

/** Edits of one text closer together than this are one edit. */
const COALESCE_MS = 15_000;

/** What people see beside reviews: comments, checks, the feature pull request's body. */
export function decideSurfaces(builder: ActionBuilder, state: RunState, now: number): void {
  decideComments(builder, state, now);
  decideDismissals(builder, state);
  for (const check of listDesiredChecks(state, now)) {
    const shown = state.checks[check.externalId];
    if (shown?.revision === check.revision) continue;
    // It is created once, whatever it says by then: a try that may have happened is looked for under this name.
    const key = `check:${check.externalId}${shown === undefined ? "" : `:${check.revision}`}`;
    builder.add(key, "cosmetic", `Publishing ${check.name}`, {
      kind: "PublishCheck",
      ...check,
    });
  }
  const revision = derivePullRevision(state, now);
  if (state.featurePull !== null && state.featurePull.settled !== "closed" && state.featurePull.revision !== revision)
    builder.add(`feature-body:${revision}`, "cosmetic", "Showing progress in the feature pull request", {
      kind: "UpdateFeaturePull",
    });
  decideStatus(builder, state, now);
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
    builder.add(`status:${state.shown}`, "cosmetic", "Showing progress in the status comment", {
      kind: "RefreshStatus",
    });
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

/** An approval speaks for one commit: it ends when another one arrives, or when a person overrules it. */
function decideDismissals(builder: ActionBuilder, state: RunState): void {
  for (const chunk of Object.values(state.chunks)) {
    const head = chunk.attempts.findLast((attempt) => attempt.head !== null)?.n;
    for (const { n } of chunk.attempts) {
      const key = `${chunk.id}:${n}`;
      const review = state.reviews[key];
      if (review === undefined || review.standsOn === null) continue;
      const pull = chunk.pulls.find((entry) => entry.number === review.standsOn);
      if (pull === undefined || pull.settled !== null) continue;
      const overruled = isOverruled(state, "review", { chunk: chunk.id, attempt: n, accept: null });
      if (n === head && !overruled) continue;
      const why = overruled
        ? `A person overruled the review of attempt ${n}.`
        : `Attempt ${n} is not what this pull request holds any more; its successor is reviewed anew.`;
      builder.add(`dismiss:${key}`, "cosmetic", `Dismissing the verdict on attempt ${n} of ${chunk.id}`, {
        kind: "DismissReview",
        key,
        pull: pull.number,
        id: review.id,
        why,
      });
    }
  }
}

export function decideReviews(builder: ActionBuilder, state: RunState): void {
  for (const chunk of Object.values(state.chunks)) {
    for (const attempt of chunk.attempts) {
      const key = `${chunk.id}:${attempt.n}`;
      if (attempt.review === null || attempt.head === null || state.reviews[key] !== undefined) continue;
      const pull = chunk.pulls.at(-1);
      if (pull === undefined) continue;
      builder.add(`review:${key}`, "landing", `Posting the verdict on attempt ${attempt.n} of ${chunk.id}`, {
        kind: "PostReview",
        chunk: chunk.id,
        attempt: attempt.n,
        pull: pull.number,
        sha: attempt.head,
      });
    }
  }
}
