import { deriveBudget } from "../derive/budget.ts";
import { listChunksOf } from "../derive/chunks-of.ts";
import { formatDispatchEffect, isSameOrder } from "../derive/doubtful-jobs.ts";
import { isGivenUp } from "../derive/given-up.ts";
import { deriveRetryAt } from "../derive/jobs.ts";
import { isAgentJob } from "../derive/agent-job.ts";
import { findOutage } from "../derive/outage.ts";
import type { Action, ActionWork, Dispatch, Priority, Wait } from "../action.ts";
import type { Outage, PendingEffect, RunState } from "../state.ts";

/** How long GitHub's reads may lag behind its writes; an effect that may have happened is looked for only after that. */
export interface Timing {
  readonly staleReadMs: number;
}

/**
 * Collects what a decision asks for. It is the one place that knows about effects that may have
 * half-happened and about waiting after a failure, so that no deciding function has to.
 */
export class ActionBuilder {
  readonly actions: Action[] = [];
  readonly waits: Wait[] = [];
  #wakeAt: number | null = null;
  #agents = 0;
  /** What is asked for or waits for its time, by key. */
  readonly #asked = new Set<string>();
  /** Where each of the waits for something's time stands in the list. */
  readonly #held = new Map<string, number>();
  readonly #state: RunState;
  readonly #now: number;
  readonly #timing: Timing;

  constructor(state: RunState, now: number, timing: Timing) {
    this.#state = state;
    this.#now = now;
    this.#timing = timing;
  }

  get wakeAt(): number | null {
    return this.#wakeAt;
  }

  /** Whether it is asked for, or waits for its time. */
  has(key: string): boolean {
    return this.#asked.has(key);
  }

  /** Does the work unless a former try must be waited for. */
  add(key: string, priority: Priority, reason: string, work: ActionWork): void {
    if (this.#state.ended !== null && isGivenUp(this.#state, key)) return;
    const pending = findPending(this.#state, key, work);
    if (work.kind === "DispatchJob" && pending !== undefined && isAnotherOrder(this.#state, work.dispatch, pending)) {
      // Not asked for: what was sent out before is looked for and stopped first (`decideDoubtful`).
      this.#hold(work, {
        subject: key,
        what: `${reason}: what was sent out before for something else may be at work`,
        until: null,
        unblock: "it has been looked for and stopped",
      });
      return;
    }
    this.#asked.add(key);
    const failure = this.#state.failures[key];
    if (failure !== undefined && failure.retryAt > this.#now) {
      this.#hold(work, {
        subject: key,
        what: `${reason} failed (${failure.message})`,
        until: failure.retryAt,
        unblock:
          failure.failure === "transient" || failure.failure === "conflict"
            ? "it is tried again by itself"
            : "what GitHub names is changed; it is tried again by itself",
      });
      return;
    }
    if (work.kind === "DispatchJob" && work.dispatch.subject.role === "floor" && this.#state.baseline.renewing) {
      this.#hold(work, {
        subject: key,
        what: `${reason}: the toolchain changed, and the baseline is captured again first`,
        until: null,
        unblock: "the new baseline is committed",
      });
      return;
    }
    if (work.kind === "DispatchJob") {
      const retryAt = deriveRetryAt(this.#state, work.dispatch.subject);
      if (retryAt > this.#now) {
        this.#hold(work, {
          subject: key,
          what: `${reason}: the last job gave no result`,
          until: retryAt,
          unblock: "the pause is over",
        });
        return;
      }
    }
    const outage = work.kind === "DispatchJob" ? findOutageOf(this.#state, work.dispatch) : null;
    if (outage !== null && outage.until > this.#now) {
      this.#hold(work, {
        subject: key,
        what: `${reason}: ${outage.cause}`,
        until: outage.until,
        unblock: "it is tried again by itself",
      });
      return;
    }
    // One that may have started already is counted as one that has.
    if (work.kind === "DispatchJob" && isAgentJob(work.dispatch.subject) && pending === undefined) {
      // The one place where every agent passes: nothing is started that the budget does not hold.
      const budget = deriveBudget(this.#state, this.#now, this.#agents);
      if (budget !== null) {
        this.#hold(work, {
          subject: "budget",
          what: budget,
          until: null,
          unblock: "`/cancel`, then a larger `budget` in the configuration and the label again",
        });
        return;
      }
      this.#agents += 1;
    }
    if (pending !== undefined) {
      const visibleAt = pending.at + this.#timing.staleReadMs;
      if (visibleAt > this.#now) {
        this.#hold(work, {
          subject: key,
          what: `${reason}: ${work.kind === "CancelJob" ? "whether it was ever sent out is not known yet" : "it may have happened already"}`,
          until: visibleAt,
          unblock: "GitHub shows it by then",
        });
        return;
      }
    }
    this.actions.push({ key, priority, reason, probe: pending !== undefined, ...work });
  }

  /** What the work is for waits. All that the same thing keeps from starting is one wait. */
  #hold(work: ActionWork, wait: Wait): void {
    const chunks = listChunksOf(work, this.#state);
    const name = `${wait.subject}: ${wait.what}`;
    const index = this.#held.get(name) ?? this.waits.length;
    this.#held.set(name, index);
    const former = this.waits[index];
    if (former === undefined) this.wait(chunks.length === 0 ? wait : { ...wait, chunks });
    else this.waits[index] = { ...former, chunks: [...new Set([...(former.chunks ?? []), ...chunks])] };
  }

  wait(wait: Wait): void {
    this.waits.push(wait);
    if (wait.until !== null) this.wake(wait.until);
  }

  wake(at: number): void {
    if (this.#wakeAt === null || at < this.#wakeAt) this.#wakeAt = at;
  }
}

/** The former try that may have happened; of a job that is to be stopped, the one to send it out. */
function findPending({ pending }: RunState, key: string, work: ActionWork): PendingEffect | undefined {
  return pending[key] ?? (work.kind === "CancelJob" ? pending[formatDispatchEffect(work.job)] : undefined);
}

/** People gave the chunk to another agent since, or it is another task, or somebody has pushed to it. */
function isAnotherOrder(state: RunState, { attempt }: Dispatch, began: PendingEffect): boolean {
  return attempt !== null && began.attempt !== undefined && !isSameOrder(state, attempt, began.attempt);
}

/** What the agent has to wait for that the job would start. */
function findOutageOf(state: RunState, { subject, request }: Dispatch): Outage | null {
  return isAgentJob(subject) && request.agent !== undefined ? findOutage(state, request.agent) : null;
}
