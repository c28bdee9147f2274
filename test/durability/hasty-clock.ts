/**
 * Time that does not wait: whoever sleeps, or sets a timer, is called soon, and it is then as late as it
 * was to be. In between time passes as it really does.
 */
import type { Timers } from "../../src/fleet/clock.ts";
import type { Clock } from "../../src/github/clock.ts";

/** How long anybody really waits at most, in ms. */
const REAL_MS = 15;

export interface HastyClock extends Clock {
  readonly timers: Timers;
}

export function createHastyClock(): HastyClock {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const reach = (time: number): void => {
    ahead = Math.max(ahead, time - Date.now());
  };
  return {
    now,
    async sleep(ms) {
      const until = now() + ms;
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, REAL_MS)));
      reach(until);
    },
    timers: {
      after(ms, run) {
        const until = now() + ms;
        // What is far ahead is far behind everything else that waits.
        const wait = Math.min(ms, REAL_MS + ms / 100, 2_000);
        const timer = setTimeout(() => {
          reach(until);
          run();
        }, wait);
        return () => clearTimeout(timer);
      },
    },
  };
}
