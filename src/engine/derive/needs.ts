/** What only a person can decide now; each is asked once, in a comment. */
import { deriveAcceptStep, type AcceptStep } from "./accept-progress.ts";
import { deriveUsedBudget } from "./budget.ts";
import { type Escalation, deriveStops, isAllDropped, listLiveAttempts } from "./chunk-progress.ts";
import { listOpenCheckpoints } from "./checkpoints.ts";
import { findOpenJob } from "./jobs.ts";
import { findLostCandidate } from "./landing-queue.ts";
import { once } from "./once.ts";
import { listUnassignable } from "./unassignable.ts";
import { derivePlanGate } from "./plan-gate.ts";
import { deriveHold } from "./plan-progress.ts";
import { deriveSchedule } from "./schedule.ts";
import type { Pause, RunState } from "../state.ts";
import { findRow } from "../table.ts";

export type Need =
  | { readonly key: string; readonly kind: "plan"; readonly why: string; readonly questions: readonly string[] }
  | { readonly key: string; readonly kind: "baseline"; readonly problems: readonly string[] }
  | {
      readonly key: string;
      readonly kind: "escalation";
      readonly escalation: Escalation;
      readonly stopped: readonly string[];
    }
  | { readonly key: string; readonly kind: "accept"; readonly step: Extract<AcceptStep, { step: "person" }> }
  | { readonly key: string; readonly kind: "budget"; readonly why: string }
  | {
      readonly key: string;
      readonly kind: "interference";
      readonly what: "closed" | "unlabeled";
      readonly until: number;
    }
  /** The run stands still because of something a person did. */
  | {
      readonly key: string;
      readonly kind: "stopped";
      readonly why: Exclude<Pause["why"], "person">;
      readonly by: string;
    }
  /** Nothing lands: the floor of what would land together gives no result. */
  | { readonly key: string; readonly kind: "landing"; readonly chunks: readonly string[]; readonly lost: number }
  /** People dropped every chunk. */
  | { readonly key: string; readonly kind: "dropped" }
  /** Somebody without write access edited the issue: said, and without effect. */
  | { readonly key: string; readonly kind: "note"; readonly by: string }
  | { readonly key: string; readonly kind: "unassignable"; readonly chunks: readonly string[] }
  | { readonly key: string; readonly kind: "checkpoint"; readonly chunk: string; readonly reason: string }
  | { readonly key: string; readonly kind: "failure"; readonly effect: string; readonly message: string };

export function deriveNeeds(state: RunState, now: number): readonly Need[] {
  const asked = lastAsked(state);
  if (asked.now !== now) {
    asked.now = now;
    asked.needs = findNeeds(state, now);
  }
  return asked.needs;
}

/** The same question is asked several times in one decision, at one moment. */
const lastAsked = once<RunState, { now: number | null; needs: readonly Need[] }>(() => ({ now: null, needs: [] }));

function findNeeds(state: RunState, now: number): readonly Need[] {
  if (state.ended !== null || state.cancelled !== null || state.merged !== null || state.answerText !== null) return [];
  const needs: Need[] = [];
  for (const [effect, failure] of Object.entries(state.failures)) {
    // A comment that cannot be posted is not told by another comment: the check and the status still say it.
    if (effect.startsWith("comment:")) continue;
    if (failure.failure === "misconfigured" || failure.failure === "terminal")
      needs.push({ key: `failure:${formatKey(effect)}`, kind: "failure", effect, message: failure.message });
  }
  needs.push(...listPeopleNeeds(state));
  const baselineTries = state.baseline.refused.length + state.baseline.lost.length;
  const { bound, renewing, renewals } = state.baseline;
  const unbound = bound === null || (renewing && bound.renewal !== renewals);
  if (unbound && baselineTries >= state.run.config.limits.tries)
    needs.push({
      key: `baseline${renewals === 0 ? "" : `:${renewals}`}${state.planning.n === 1 ? "" : `:plan-${state.planning.n}`}`,
      kind: "baseline",
      problems: state.baseline.refused.at(-1) ?? state.baseline.lost.slice(-1),
    });
  const gate = state.planning.done ? null : derivePlanGate(state);
  if (gate?.next === "person")
    needs.push({
      key: `plan:${state.planning.n}:${state.planning.drafts.length}`,
      kind: "plan",
      why: gate.why,
      questions: state.planning.questions,
    });
  const { escalated, stopped } = deriveStops(state);
  for (const escalation of escalated.values()) {
    const chunk = findRow(state.chunks, escalation.chunk);
    const key = `escalation:${escalation.chunk}:${chunk?.attempts.at(-1)?.n ?? 0}${formatRound(chunk?.freed ?? 0)}`;
    const waiting = [...stopped].filter(([, root]) => root === escalation.chunk).map(([id]) => id);
    needs.push({ key, kind: "escalation", escalation, stopped: waiting });
  }
  const lost = deriveHold(state) === null ? findLostCandidate(state) : null;
  if (lost !== null) {
    const freed = lost.chunks.reduce((sum, id) => sum + (findRow(state.chunks, id)?.freed ?? 0), 0);
    const key = `landing:${lost.hash}${formatRound(freed)}`;
    needs.push({ key, kind: "landing", chunks: lost.chunks, lost: lost.lostJobs });
  }
  const accept = deriveAcceptStep(state, now);
  if (accept.step === "person")
    needs.push({ key: `accept:${accept.accept.n}:${accept.problem}`, kind: "accept", step: accept });
  const budget = deriveUsedBudget(state, now);
  if (budget !== null && wantsAgent(state, now)) needs.push({ key: "budget", kind: "budget", why: budget });
  return needs;
}

/** Whether the next thing to do is an agent's, and none is at it: only then a spent budget stops anything. */
function wantsAgent(state: RunState, now: number): boolean {
  if (!state.planning.done && state.integration !== null && state.paused === null) {
    const gate = derivePlanGate(state);
    if (gate.next === "draft" && findOpenJob(state, { role: "plan" }) === null) return true;
    if (
      gate.next === "review" &&
      gate.missing.some((lens) => findOpenJob(state, { role: "plan-review", lens }) === null)
    )
      return true;
  }
  if (deriveAcceptStep(state, now).step === "review" && findOpenJob(state, { role: "final-review" }) === null)
    return true;
  const { escalated } = deriveStops(state);
  const unreviewed = listLiveAttempts(state).some(
    ({ chunk, attempt }) =>
      attempt.stage === "floor-passed" &&
      !escalated.has(chunk.id) &&
      findOpenJob(state, { role: "review", chunk: chunk.id }) === null,
  );
  if (unreviewed) return true;
  // Until people have settled these nothing starts, whatever the budget holds.
  if (deriveHold(state) !== null || listUnassignable(state).length > 0 || listOpenCheckpoints(state).length > 0)
    return false;
  return deriveSchedule(state).start.length > 0;
}

/** What waits for an answer: all needs but notes. */
export function listQuestions(state: RunState, now: number): readonly Need[] {
  return deriveNeeds(state, now).filter((need) => need.kind !== "note");
}

function listPeopleNeeds(state: RunState): readonly Need[] {
  const needs: Need[] = [];
  if (state.interference !== null)
    needs.push({
      key: `interference:${state.interferences}`,
      kind: "interference",
      what: state.interference.what,
      until: state.interference.at + state.run.config.limits.confirm_minutes * 60_000,
    });
  for (const { why, by } of state.paused ?? [])
    if (why !== "person") needs.push({ key: formatStopKey(state, why), kind: "stopped", why, by });
  const edit = state.intentEdits.at(-1);
  if (edit !== undefined && !edit.writer)
    needs.push({ key: `noted:${edit.hash.slice(0, 12)}`, kind: "note", by: edit.by });
  if (isAllDropped(state) && state.planning.done)
    needs.push({ key: `all-dropped:${state.approved?.rev ?? 0}`, kind: "dropped" });
  const unassignable = listUnassignable(state);
  if (unassignable.length > 0)
    needs.push({ key: `unassignable:${state.approved?.rev ?? 0}`, kind: "unassignable", chunks: unassignable });
  for (const { key, chunk, reason } of listOpenCheckpoints(state))
    needs.push({ key: `checkpoint:${key}`, kind: "checkpoint", chunk, reason });
  return needs;
}

/** Who has answered, and is needed again for the same thing, is asked again. */
function formatRound(freed: number): string {
  return freed === 0 ? "" : `:${freed}`;
}

/** Each time the run is stopped so, another question is asked. */
function formatStopKey(state: RunState, why: Extract<Need, { kind: "stopped" }>["why"]): string {
  switch (why) {
    case "edited":
      return `edited:${state.intentEdits.findLast((edit) => edit.writer)?.hash.slice(0, 12) ?? ""}`;
    case "feature-closed":
      // One that is reopened by hand is taken up again, and may be closed again.
      return `feature-closed:${state.featurePull?.number ?? 0}${formatRound(state.featureClosings - 1)}`;
    case "rebuilt":
      return "rebuilt";
    case "toolchain":
      return `toolchain:${state.baseline.renewals}`;
  }
}

/** A marker's key holds only letters, digits and a few signs. */
function formatKey(effect: string): string {
  return effect.replaceAll(/[^A-Za-z0-9:._/-]/gu, "_").slice(0, 150);
}
