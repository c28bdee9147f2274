/** A worker: plays a range of seeds, every n-th of them, and reports. Started by tools/dev/sim.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStore } from "../../src/store/open-store.ts";
import { buildScenario } from "./scenario.ts";
import { type Outcome, simulate } from "./simulate.ts";
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

async function playOnSqlite(seed: number): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-sim-"));
  const store = await openStore({ file: path.join(folder, "sim.db") });
  try {
    return await simulate(buildScenario(seed), { store });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const range = workerData as Range;
const summary = emptySummary();
for (let index = range.offset; index < range.count; index += range.step) {
  const seed = range.from + index;
  const outcome = index < range.sqlite ? await playOnSqlite(seed) : await simulate(buildScenario(seed));
  addOutcome(summary, outcome);
  const failed = outcome.violations.length > 0 || outcome.stuck !== null;
  // A worker's port has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage({ kind: "seed", seed, failed });
  if (failed && range.untilFailure) break;
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage({ kind: "summary", summary });
