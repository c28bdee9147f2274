/** A worker: plays a range of seeds, every n-th of them, and reports. Started by tools/dev/sim.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { buildScenario } from "./scenario.ts";
import { simulate } from "./simulate.ts";
import { createSqliteDatabase } from "./store/sqlite-story-database.ts";
import { createMemoryDatabase } from "./store/story-database.ts";
import { addOutcome, emptySummary } from "./summary.ts";

export interface Range {
  readonly from: number;
  readonly count: number;
  readonly step: number;
  readonly offset: number;
  /** In how many of the first seeds SQLite stands in for the memory. */
  readonly sqlite: number;
  /** Whether the first failure ends it. */
  readonly untilFailure: boolean;
}

const range = workerData as Range;
const summary = emptySummary();
for (let index = range.offset; index < range.count; index += range.step) {
  const seed = range.from + index;
  const createDatabase = index < range.sqlite ? createSqliteDatabase : createMemoryDatabase;
  const outcome = await simulate(buildScenario(seed), { createDatabase });
  addOutcome(summary, outcome);
  const failed = outcome.violations.length > 0 || outcome.stuck !== null;
  // A worker's port has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage({ kind: "seed", seed, failed });
  if (failed && range.untilFailure) break;
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage({ kind: "summary", summary });
