/** Plays seeds until one fails. A story that does not come to an end in real time fails, too. */
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { buildScenario } from "../scenario.ts";
import { describeFailure } from "../shrink.ts";
import { simulate } from "../simulate.ts";

/** Of the processor's time, whatever else the machine does: a large story takes some seconds. */
const MOST_CPU_MS = 90_000;

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: Number(process.argv[2] ?? "2000") });
  let seed = 0;
  let begun = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(begun);
    if ((user + system) / 1000 < MOST_CPU_MS) return;
    console.log(`caught seed ${seed + 1}: it never ends`);
    process.exit(0);
  }, 2_000);
  worker.on(
    "message",
    (message: { readonly seed: number; readonly failure: string | null; readonly over: boolean }) => {
      seed = message.seed;
      begun = process.cpuUsage();
      if (message.failure !== null) console.log(`caught seed ${seed}: ${message.failure}`);
      if (message.over) console.log("all well");
      if (message.failure !== null || message.over) process.exit(0);
    },
  );
  worker.on("error", (error) => {
    console.log(`caught seed ${seed}: ${error.message.split("\n")[0] ?? ""}`);
    process.exit(0);
  });
} else {
  const seeds = workerData as number;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const failure = describeFailure(await simulate(buildScenario(seed)));
    // A worker's port has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort?.postMessage({ seed, failure, over: seed === seeds });
    if (failure !== null) break;
  }
}
