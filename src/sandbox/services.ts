import type { Background } from "./background.ts";
import type { Faults } from "./faults.ts";
import type { View } from "./view.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";
import type { Runner } from "./runs/runner.ts";
import type { RunQueue } from "./runs/run-queue.ts";
import type { RefLocks } from "./refs/ref-locks.ts";

/** Delays of what GitHub does after it has answered, in milliseconds. */
export interface Lag {
  readonly mergeability: number;
  /** Until a pull request whose head arrived in its base is marked as merged. */
  readonly merged: number;
}

export type SandboxLogEntry =
  | {
      readonly kind: "request";
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
    }
  | { readonly kind: "not-implemented"; readonly method: string; readonly path: string }
  | { readonly kind: "error"; readonly message: string };

/** What routes and effects work with. */
export interface Services extends View {
  readonly dataDir: string;
  readonly background: Background;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly locks: RefLocks;
  readonly runs: RunQueue;
  readonly runner: Runner;
  readonly lag: Lag;
  readonly log: (entry: SandboxLogEntry) => void;
}
