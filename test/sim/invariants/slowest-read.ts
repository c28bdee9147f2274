/**
 * What was read on GitHub is recorded this much later at the most: a replica that lags behind, slow answers, and a
 * process that stands still in between.
 */
export const SLOWEST_READ_MS = 15 * 60_000;
