/** Time as the shell sees it, so that tests and the simulation can hold it in their hands. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** How the loop is woken: injected like the clock, so that time can be virtual. */
export interface Timers {
  /** Calls once, after so many milliseconds. @returns what takes it back. */
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  after: (ms, run) => {
    // Node's timers hold at most 2^31-1 ms: what lies further ahead is looked at again on the way.
    const timer = setTimeout(run, Math.min(ms, 60 * 60_000));
    return () => clearTimeout(timer);
  },
};
