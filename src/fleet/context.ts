/** What every part of the shell is given. */
import type { Timing } from "../engine/decide.ts";
import type { GitHubPort } from "../github/port.ts";
import type { Store } from "../store/port.ts";
import type { ImmutableReads } from "./immutable-reads.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Meter } from "./meter.ts";

export interface Intervals {
  /** How often what a run waits for is looked at again although no webhook came, in ms; jobs three times as rarely. */
  readonly jobMs: number;
  readonly otherMs: number;
  /** How often all open runs are swept and failed deliveries redelivered. */
  readonly sweepMs: number;
}

export interface Fleet {
  readonly github: GitHubPort;
  /** A second App that approves and requests changes; absent: our own comments. */
  readonly reviewer?: GitHubPort;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing: Timing;
  readonly intervals: Intervals;
  readonly reads: ImmutableReads;
  /** Absent where nobody looks at figures. */
  readonly meter?: Meter;
}

export const DEFAULT_INTERVALS: Intervals = { jobMs: 60_000, otherMs: 5 * 60_000, sweepMs: 5 * 60_000 };
