/**
 * `npm run sim -- --seeds N [--seed S] [--json] [--sqlite N] [--mutants [--only NAME]... [--note-seeds]]`: plays seeded stories of whole runs
 * on a model of GitHub and checks every invariant at every step. `--json`: the last line is the summary. `--sqlite N`: the first
 * N seeds keep what they know in SQLite files, each process with a connection of its own.
 * `--note-seeds` writes the seed that caught a mutant into its patch, where it is played first from then on.
 * Exit code 1 when anything is violated or stuck, a mutant is missed, or 2,000 seeds leave a kind of fact or action out.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { runMutants } from "../../test/sim/mutants/run-mutants.ts";
import type { Range } from "../../test/sim/run-seeds.ts";
import { describeUncovered, mergeSummaries, type Summary } from "../../test/sim/summary.ts";
import { tellFailure } from "../../test/sim/tell-failure.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    sqlite: { type: "string", default: "0" },
    mutants: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    "note-seeds": { type: "boolean", default: false },
    workers: { type: "string", default: String(Math.min(4, availableParallelism())) },
    "until-failure": { type: "boolean", default: false },
  },
});

function readCount(text: string, name: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) throw new TypeError(`--${name} takes a whole number`);
  return count;
}

function play(range: Range): Promise<Summary> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("../../test/sim/run-seeds.ts", import.meta.url), {
      workerData: range,
      // Most of what a story makes is garbage at once: rarely collected is cheaply collected.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    let summary: Summary | null = null;
    worker.on(
      "message",
      (message: { kind: "summary"; summary: Summary } | { kind: "seed"; seed: number; failed: boolean }) => {
        if (message.kind === "summary") summary = message.summary;
        else if (message.failed) console.error(`seed ${message.seed} failed`);
      },
    );
    worker.on("error", reject);
    worker.on("exit", (code) => {
      if (summary === null) reject(new Error(`a worker ended with ${code} and no summary`));
      else resolve(summary);
    });
  });
}

async function playSeeds(): Promise<boolean> {
  const from = readCount(values.seed, "seed");
  const count = readCount(values.seeds, "seeds");
  const workers = Math.max(1, Math.min(count, readCount(values.workers, "workers")));
  const shared = {
    from,
    count,
    step: workers,
    sqlite: readCount(values.sqlite, "sqlite"),
    untilFailure: values["until-failure"],
  };
  const summary = mergeSummaries(
    await Promise.all(Array.from({ length: workers }, (_, offset) => play({ ...shared, offset }))),
  );
  const failing = new Map([
    ...summary.stuckSeeds.map(({ seed, why }) => [seed, `stuck: ${why}`] as const),
    ...summary.violations.map(({ seed, invariant, what }) => [seed, `${invariant}: ${what}`] as const),
  ]);
  for (const [seed, found] of [...failing].slice(0, 3))
    console.error(`\n${await tellFailure(seed, seed - from < shared.sqlite ? "sqlite" : "memory", found)}`);
  const uncovered = describeUncovered(summary);
  if (uncovered !== null) console.error(`\n${uncovered}`);
  if (values.json) {
    const { stuckSeeds: _, ends: __, violations, ...rest } = summary;
    console.log(
      JSON.stringify({ ...rest, violations: violations.map(({ seed, invariant, at }) => ({ seed, invariant, at })) }),
    );
  } else {
    console.log(
      `${summary.seeds} seeds, ${summary.steps} steps, ${summary.violations.length} violations, ${summary.stuck} stuck`,
    );
    console.log(
      `ends: ${Object.entries(summary.ends)
        .map(([end, n]) => `${end} ${n}`)
        .join(", ")}`,
    );
    if (summary.uncovered.length > 0) console.log(`never occurred: ${summary.uncovered.join(", ")}`);
  }
  return failing.size === 0 && uncovered === null;
}

async function playMutants(): Promise<boolean> {
  const result = await runMutants({
    seeds: readCount(values.seeds === "300" ? "2000" : values.seeds, "seeds"),
    tell: (line) => console.error(line),
    only: values.only,
    seedsAre: values["note-seeds"] ? "noted" : "told",
  });
  if (values.json) console.log(JSON.stringify(result));
  else
    console.log(
      `${result.caught} of ${result.mutants} mutants caught${result.missed.length > 0 ? `, missed: ${result.missed.join(", ")}` : ""}`,
    );
  return result.missed.length === 0;
}

process.exitCode = (await (values.mutants ? playMutants() : playSeeds())) ? 0 : 1;
