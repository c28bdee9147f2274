/** What the shell counts while it works; the metrics page is built of it. Nothing decides by it. */
import type { Fact } from "../engine/fact.ts";
import type { RunAddress } from "../store/port.ts";

export interface Meter {
  /** One action was carried out or failed, in so many milliseconds. */
  action(kind: string, outcome: "done" | "failed", ms: number): void;
  /** A fact was recorded for the first time. */
  fact(fact: Fact): void;
  /** Failed deliveries were asked for again. */
  redelivered(count: number): void;
  /** A delivery failed so often that it is not asked for any more. */
  redeliveryGivenUp(): void;
  /** A delivery was stored; `fresh` is false for one that was known. */
  delivery(event: string, fresh: boolean, ms: number): void;
  /** Where a run stands after a turn; null = it is over. */
  run(address: RunAddress, phase: string | null): void;
}
