/** One turn of a run: look, record, decide, act, until nothing is left to do at once. */
import { GitHubFailure } from "../../contracts/errors.ts";
import type { JobId } from "../../contracts/ids.ts";
import { decide } from "../../engine/decide.ts";
import { deriveJobDeadline } from "../../engine/decide/wait-for-job.ts";
import type { Action } from "../../engine/action.ts";
import type { Fact } from "../../engine/fact.ts";
import type { Lease } from "../../store/port.ts";
import { apply } from "../apply.ts";
import { parseButtonHint } from "../inbox/button-hint.ts";
import { observeButton } from "../observe/observe-button.ts";
import { listTargets, observe, type Occasion, readHint, readOccasions, type Target } from "../observe.ts";
import { deriveIntervals } from "./derive-intervals.ts";
import type { EditPace } from "./edit-pace.ts";
import { noteEdit, pickAction } from "./pick-action.ts";
import type { Polls } from "./polls.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

/** More actions than this in one turn would be a bug that spins. */
const MAX_ACTIONS = 2_000;

/** A turn that left nothing to do at once is not repeated at once. */
const LEAST_PAUSE_MS = 1_000;

export interface Turn {
  /** When to look again although nothing happened; null = never, the run is over. */
  readonly wakeAt: number | null;
}

/**
 * @param memory what this process remembers between turns.
 * @param keep is asked before each action whether the lease still holds.
 */
export async function workRun(
  session: RunSession,
  lease: Lease,
  memory: { readonly polls: Polls; readonly pace: EditPace },
  keep: () => Promise<boolean>,
): Promise<Turn> {
  const { polls, pace } = memory;
  const occasions = readOccasions(lease.hints);
  let missed: { readonly error: unknown } | null = null;
  for (const target of listDue(session, lease, polls)) {
    const now = session.fleet.clock.now();
    const occasion = occasions.get(target) ?? { kind: "due" };
    let seen: readonly Fact[];
    try {
      seen = await observe(session, target, occasion);
    } catch (error) {
      if (!isPassedOver(error, occasion)) throw error;
      missed ??= { error };
      continue;
    }
    await session.append(seen);
    polls.mark(session.address, target, now);
  }
  for (const hint of lease.hints) {
    const button = parseButtonHint(hint);
    if (button !== null) await session.append(await observeButton(session, button));
  }
  let done = 0;
  let last: readonly Action[] = [];
  for (;;) {
    const decision = decide(session.state, session.fleet.clock.now(), session.fleet.timing);
    const { actions } = decision;
    const { action, heldUntil } = pickAction(session, actions, pace);
    if (action === null || done >= MAX_ACTIONS) {
      if (done >= MAX_ACTIONS)
        session.fleet.log.error(
          { run: session.record.runKey, last: last.map((entry) => entry.key) },
          "a turn does not end: left for later",
        );
      const over = session.state.ended !== null && actions.length === 0 && decision.waits.length === 0;
      if (over) await session.fleet.store.updateRun(session.address, { status: "closed" });
      await session.saveSnapshot();
      if (over) return { wakeAt: null };
      if (missed !== null) throw missed.error;
      const now = session.fleet.clock.now();
      const next = earliest(
        earliest(decision.wakeAt, heldUntil),
        polls.nextAt(
          session.address,
          listTargets(session),
          deriveIntervals(session.state, session.fleet.intervals),
          now,
        ),
      );
      // A deadline that has passed is acted on when its subject is looked at, which has intervals of its own.
      return { wakeAt: next === null ? null : Math.max(next, now + LEAST_PAUSE_MS) };
    }
    // What one action brings about may change what is right to do next, so it is decided anew.
    last = [...last.slice(-4), action];
    if (!(await keep())) return { wakeAt: session.fleet.clock.now() };
    const outcome = await apply(session, action);
    // What failed has shown nobody anything.
    if (outcome === "done") noteEdit(session, action, pace);
    // What a killed process had started may be over by now, and its end has been told to nobody.
    if (action.probe && action.kind === "DispatchJob") polls.hurry(session.address, `job:${action.dispatch.job}`);
    done += 1;
  }
}

/**
 * Whether all else goes on although one thing could not be looked at; the turn still ends with the error, so it is
 * looked at again. While GitHub is unwell, what is looked at only because it is time may be missed, or a large run
 * would stand still until every single thing is answered; what something is known to have happened to may not.
 * What fails for good would fail in every turn: nothing on GitHub that cannot be read may keep a `/cancel` from
 * being obeyed. Nothing more is asked of a GitHub that wants a pause, or where the repository is out of reach.
 */
function isPassedOver(error: unknown, occasion: Occasion): boolean {
  if (!(error instanceof GitHubFailure)) return true;
  if (error.kind === "dormant" || error.details.retryAfterMs !== undefined) return false;
  return error.kind !== "transient" || occasion.kind === "due";
}

function listDue(session: RunSession, lease: Lease, polls: Polls): readonly Target[] {
  const targets = new Set<Target>();
  for (const hint of lease.hints) for (const target of readHint(session, hint)) targets.add(target);
  const now = session.fleet.clock.now();
  const intervalOf = deriveIntervals(session.state, session.fleet.intervals);
  for (const target of listTargets(session))
    if (polls.isDue(session.address, target, intervalOf, now) || isOverdue(session, polls, target, now))
      targets.add(target);
  return [...targets];
}

/** A job whose deadline has passed is looked at once more at that moment, whenever it was last looked at. */
function isOverdue(session: RunSession, polls: Polls, target: Target, now: number): boolean {
  const job = target.startsWith("job:") ? findRow(session.state.jobs, target.slice("job:".length) as JobId) : undefined;
  if (job === undefined) return false;
  const deadline = deriveJobDeadline(session.state, job);
  return deadline <= now && !polls.wasSeen(session.address, target, deadline);
}

function earliest(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}
