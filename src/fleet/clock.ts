/** Time as the shell sees it, so that tests and the simulation can hold it in their hands. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
