/** Folds a run's facts again and says what was decided after each: the same facts give the same decisions, always. */
import type { Action } from "../../engine/action.ts";
import { decide, type Timing } from "../../engine/decide.ts";
import type { Fact, RecordedFact } from "../../engine/fact.ts";
import { fold } from "../../engine/fold.ts";
import type { RunState } from "../../engine/state.ts";
import { deriveOrigin } from "./fact-origin.ts";

export interface ReplayStep {
  readonly seq: number;
  readonly at: number;
  readonly fact: string;
  /** What was to be done next, first the first; the key names the effect. */
  readonly actions: ReadonlyArray<{ readonly kind: string; readonly key: string; readonly reason: string }>;
}

export interface Replay {
  readonly steps: readonly ReplayStep[];
  /** null when not even the run's beginning could be folded. */
  readonly state: RunState | null;
  /** What we did although no decision here asks for it, or what cannot be folded: the code has changed, or there is a bug. */
  readonly differences: readonly string[];
  /** Effects that were begun and of which no fact says how they ended: a process died, or an answer never came. */
  readonly unfinished: readonly string[];
}

/** More deadlines than these do not pass while nothing happens. */
const MOST_WAKINGS = 50;

/** A state, from when on it was the newest, and what it asked for then. */
interface Moment {
  readonly state: RunState;
  /** The fact that made it so. */
  readonly follows: Fact["kind"];
  readonly from: number;
  readonly asked: readonly Action[];
}

export function replayRun(facts: readonly RecordedFact[], timing: Timing): Replay {
  const moments: Moment[] = [];
  const steps: ReplayStep[] = [];
  const differences: string[] = [];
  const begun = new Map<string, readonly Action[]>();
  const readBack = countReadBack(facts);
  let state: RunState | null = null;
  for (const [index, recorded] of facts.entries()) {
    const { fact, seq, at } = recorded;
    try {
      if (index >= readBack && !isAskedFor(moments, recorded, begun, timing))
        differences.push(`fact ${seq}: ${describe(fact)}, and nothing here asks for it`);
      state = fold(state, recorded);
      const { actions } = decide(state, at, timing);
      moments.push({ state, follows: fact.kind, from: at, asked: actions });
      steps.push({
        seq,
        at,
        fact: fact.kind,
        actions: actions.map((action) => ({ kind: action.kind, key: action.key, reason: action.reason })),
      });
    } catch (error) {
      // What follows stands on it.
      const said = error instanceof Error ? error.message : String(error);
      differences.push(`fact ${seq}: ${fact.kind} cannot be folded here (${said.split("\n", 1)[0]})`);
      break;
    }
  }
  return { state, steps, differences, unfinished: Object.keys(state?.pending ?? {}) };
}

/** What `rebuild` found on GitHub is recorded all at once: nobody asked for it here. */
function countReadBack(facts: readonly RecordedFact[]): number {
  const last = facts.findIndex(({ fact }) => fact.kind === "RunRebuilt");
  const began = facts[0]?.at;
  return facts.slice(0, last + 1).every(({ at }) => at === began) ? last + 1 : 0;
}

/**
 * What an action brought about is recorded right after the state that asked for it: a process that another one has
 * overtaken records nothing.
 *
 * @param begun what was asked for when an effect was begun; kept up to date here.
 */
function isAskedFor(
  moments: readonly Moment[],
  recorded: RecordedFact,
  begun: Map<string, readonly Action[]>,
  timing: Timing,
): boolean {
  const { fact, at } = recorded;
  const newest = moments.at(-1);
  if (newest === undefined) return true;
  const origin = deriveOrigin(fact, newest.state.run.run);
  if (origin === null) return true;
  const effect = "effect" in fact ? fact.effect : null;
  const pending = effect !== null && newest.state.pending[effect] !== undefined;
  if (effect !== null && fact.kind !== "EffectStarted" && pending && begun.get(effect)?.some(origin) === true)
    return true;
  for (let index = moments.length - 1; index >= 0; index -= 1) {
    const moment = moments[index];
    if (moment === undefined || (moment !== newest && !mayHaveAsked(moment, newest, recorded))) return false;
    const action = findAction(moment, moments[index + 1]?.from ?? at, origin, timing);
    if (action === null) continue;
    if (effect !== null && fact.kind === "EffectStarted")
      begun.set(effect, [...(pending ? (begun.get(effect) ?? []) : []), action]);
    return true;
  }
  return false;
}

/** Whether a fact may be what an earlier state than the newest asked for. */
function mayHaveAsked(moment: Moment, newest: Moment, { fact, at }: RecordedFact): boolean {
  switch (fact.kind) {
    case "PlanCommitted":
    case "ChunksLanded":
    case "AcceptCommitted":
      // A commit whose answer was lost, or whose process died, is found on the branch, maybe much later.
      return moment.state.integration?.tip === newest.state.integration?.tip;
    case "ChunkConflicted":
      // One try to put several chunks together may find several of them.
      return newest.follows === fact.kind && newest.from === at;
    case "EffectEnded":
      return moment.state.failures[fact.effect] !== undefined;
    default:
      return false;
  }
}

/** What a state asks for changes only when it says that it wants to be looked at again. */
function findAction(
  moment: Moment,
  until: number,
  matches: (action: Action) => boolean,
  timing: Timing,
): Action | null {
  const found = moment.asked.find(matches);
  if (found !== undefined) return found;
  let now = moment.from;
  for (let count = 0; count < MOST_WAKINGS && now < until; count += 1) {
    const { wakeAt } = decide(moment.state, now, timing);
    now = wakeAt === null || wakeAt <= now ? until : Math.min(wakeAt, until);
    const later = decide(moment.state, now, timing).actions.find(matches);
    if (later !== undefined) return later;
  }
  return null;
}

function describe(fact: Fact): string {
  switch (fact.kind) {
    case "EffectStarted":
      return `${fact.effect} was begun`;
    case "EffectFailed":
      return `${fact.effect} was tried and failed`;
    case "EffectEnded":
      return `${fact.effect} came to its end`;
    default:
      return `${fact.kind}${"effect" in fact ? ` (${fact.effect})` : ""} was recorded`;
  }
}
