import { GitHubFailure } from "../contracts/errors.ts";
import type { Demand, GovernorOptions } from "./governor-terms.ts";
import { comparePriorities, type Priority } from "./priority.ts";
import { createToll } from "./governor-toll.ts";

/** Places for requests under way, shared by an installation's lanes. */
export interface Places {
  free: number;
  readonly waiting: Array<() => void>;
}

export interface LaneOptions extends GovernorOptions {
  readonly cost: Demand["cost"];
  readonly places: Places;
  readonly installation: number | null;
  readonly pausedUntil: () => number;
}

export interface Lane {
  /** Resolves when the request may go, with a function to call when it is over. */
  enter(priority: Priority): Promise<() => void>;
  /** Demands that cannot wait until then fail now. */
  rejectImpatient(until: number): void;
  /** From when the next request may go, as far as is known (ms); a time that has passed means now. */
  opensAt(): number;
}

interface Ticket {
  readonly priority: Priority;
  readonly deadline: number;
  readonly go: (done: () => void) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * One kind of request of one installation. The toll for the next request is paid before it is known
 * which one that is, so a landing that arrives late still goes first.
 */
export function createLane(options: LaneOptions): Lane {
  const { clock, places } = options;
  const toll = createToll(options);
  const tickets: Ticket[] = [];
  let working = false;
  let openAt = 0;

  async function work(): Promise<void> {
    working = true;
    try {
      while (tickets.length > 0) {
        const now = clock.now();
        openAt = Math.max(await toll.allowedAt(now), options.pausedUntil());
        rejectImpatient(openAt);
        if (tickets.length === 0) return;
        if (openAt > now) {
          await clock.sleep(openAt - now);
          continue;
        }
        await takePlace(places);
        const ticket = takeFirst(tickets);
        toll.use();
        ticket?.go(() => leavePlace(places));
        if (ticket === undefined) leavePlace(places);
      }
    } catch (error) {
      // The shared window cannot be reached: say so instead of sending without one.
      for (const ticket of tickets.splice(0)) ticket.refuse(error);
    } finally {
      working = false;
    }
  }

  function rejectImpatient(until: number): void {
    const now = clock.now();
    const impatient = tickets.filter((ticket) => ticket.deadline < until);
    for (const ticket of impatient) {
      tickets.splice(tickets.indexOf(ticket), 1);
      ticket.refuse(formatWaitFailure(until - now));
    }
  }

  return {
    enter: (priority) =>
      new Promise((go, refuse) => {
        tickets.push({ priority, deadline: clock.now() + options.maxWaitMs, go, refuse });
        if (working) rejectImpatient(openAt);
        else void work();
      }),
    rejectImpatient,
    opensAt: () => Math.max(toll.openAt(), options.pausedUntil()),
  };
}

/** The most important ticket, the oldest of equals. */
function takeFirst(tickets: Ticket[]): Ticket | undefined {
  const [first, ...others] = tickets;
  if (first === undefined) return undefined;
  let best = first;
  for (const ticket of others) if (comparePriorities(ticket.priority, best.priority) < 0) best = ticket;
  tickets.splice(tickets.indexOf(best), 1);
  return best;
}

async function takePlace(places: Places): Promise<void> {
  if (places.free > 0) places.free -= 1;
  else await new Promise<void>((resolve) => places.waiting.push(resolve));
}

function leavePlace(places: Places): void {
  const next = places.waiting.shift();
  if (next === undefined) places.free += 1;
  else next();
}

/** What a demand that would wait too long ends with. */
function formatWaitFailure(retryAfterMs: number): GitHubFailure {
  return new GitHubFailure("transient", "GitHub's limits leave no room for this request now.", { retryAfterMs });
}
