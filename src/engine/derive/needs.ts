/** What only a person can decide now; each is asked once, in a comment. */
import { deriveAcceptStep, type AcceptStep } from "./accept-progress.ts";
import { deriveBudget } from "./budget.ts";
import { deriveStops, type Escalation } from "./chunk-progress.ts";
import { derivePlanGate } from "./plan-gate.ts";
import { deriveHold } from "./plan-progress.ts";
import { deriveSchedule } from "./schedule.ts";
import type { RunState } from "../state.ts";

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
  | { readonly key: string; readonly kind: "failure"; readonly effect: string; readonly message: string };

export function deriveNeeds(state: RunState, now: number): readonly Need[] {
  if (state.ended !== null || state.cancelled !== null || state.merged !== null || state.answerText !== null) return [];
  const needs: Need[] = [];
  for (const [effect, failure] of Object.entries(state.failures)) {
    if (failure.failure === "misconfigured" || failure.failure === "terminal")
      needs.push({ key: `failure:${formatKey(effect)}`, kind: "failure", effect, message: failure.message });
  }
  const baselineTries = state.baseline.refused.length + state.baseline.lost.length;
  if (state.baseline.bound === null && baselineTries >= state.run.config.limits.tries)
    needs.push({
      key: "baseline",
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
    const attempts = state.chunks[escalation.chunk]?.attempts.length ?? 0;
    const waiting = [...stopped].filter(([, root]) => root === escalation.chunk).map(([id]) => id);
    needs.push({ key: `escalation:${escalation.chunk}:${attempts}`, kind: "escalation", escalation, stopped: waiting });
  }
  const accept = deriveAcceptStep(state, now);
  if (accept.step === "person")
    needs.push({ key: `accept:${accept.accept.n}:${accept.problem}`, kind: "accept", step: accept });
  const budget = deriveBudget(state);
  if (budget !== null && deriveHold(state) === null && deriveSchedule(state).start.length > 0)
    needs.push({ key: "budget", kind: "budget", why: budget });
  return needs;
}

/** A marker's key holds only letters, digits and a few signs. */
function formatKey(effect: string): string {
  return effect.replaceAll(/[^A-Za-z0-9:._/-]/gu, "_").slice(0, 150);
}
