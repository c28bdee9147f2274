import type { Clock } from "./clock.ts";
import type { Priority } from "./priority.ts";

/** Spends from a window that all instances share: the store's `spend`. */
export type Spend = (
  window: { readonly key: string; readonly limit: number; readonly periodMs: number },
  cost: number,
  now: number,
) => Promise<number>;

export interface GovernorOptions {
  /** Without it only the number of concurrent requests is bounded. */
  readonly spend?: Spend | undefined;
  readonly clock: Clock;
  /** A request that would have to wait longer fails as transient, so that nobody holds a lease for nothing. */
  readonly maxWaitMs: number;
  /** Requests under way at the same time, per installation and instance (GitHub allows 100 in all). */
  readonly maxConcurrent: number;
}

/** What a request asks of the governor. */
export interface Demand {
  readonly cost: "read" | "write" | "content";
  readonly priority: Priority;
}
