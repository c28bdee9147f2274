/**
 * How fast deliveries are acknowledged, stored durably: the slowest hundredth at 300 a second while runs are
 * worked on, and the throughput beside a bare Probot app in the same run.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openFleetStage, type FleetStage } from "../../../test/fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../../../test/fleet-stage/scripted-runner.ts";
import type { Load, LoadResult } from "./ingest-load.ts";

const rate = 300;
const maxP99 = 25;
const minRatio = 0.6;
const runs = 10;
/** Under way at the same time when throughput is measured: as many as hide how long a disk takes. */
const together = 128;
const rounds = 5;

export async function run(): Promise<readonly string[]> {
  const stage = await openFleetStage({
    // Jobs take a while, so that runs are under way all the time.
    runner: createScriptedRunner({ chunks: () => buildChunks(6), delayMs: 2_000 }),
  });
  const bare = await startBare(stage);
  try {
    const app = await stage.startApp({ LOG_LEVEL: "warn" });
    stage.sandbox.setWebhookTarget(app.webhookUrl);
    const load = (url: string, how: Pick<Load, "rate" | "together">, seconds: number): Promise<LoadResult> =>
      runLoad({ url, secret: stage.sandbox.app.webhookSecret, seconds, ...how });
    const throughput = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      throughput.bare.push((await load(bare.url, { together }, 4)).perSecond);
      throughput.ours.push((await load(app.webhookUrl, { together }, 4)).perSecond);
    }
    for (let n = 0; n < runs; n += 1) await stage.startRun(await stage.createRepository(`parts-${n}`));
    const busy = await load(app.webhookUrl, { rate }, 20);
    // Both of a round ran next to each other, on a machine that was as busy for the one as for the other.
    const ratio = findMedian(throughput.ours.map((ours, round) => ours / (throughput.bare[round] ?? ours)));
    console.table({
      "bare Probot, per second": Math.round(findMedian(throughput.bare)),
      "Taskfleet, per second": Math.round(findMedian(throughput.ours)),
      ratio: Number(ratio.toFixed(2)),
      [`p50 at ${rate}/s with ${runs} runs, ms`]: Number(busy.p50.toFixed(1)),
      [`p99 at ${rate}/s with ${runs} runs, ms`]: Number(busy.p99.toFixed(1)),
      "slowest, ms": Number(busy.max.toFixed(1)),
      "deliveries that failed": busy.failed,
    });
    return [
      ...(busy.failed > 0 ? [`${busy.failed} deliveries were not acknowledged`] : []),
      ...(busy.p99 > maxP99 ? [`the slowest hundredth takes ${busy.p99.toFixed(1)} ms; allowed are ${maxP99}`] : []),
      ...(ratio < minRatio ? [`throughput is ${ratio.toFixed(2)} of a bare app's; at least ${minRatio} is asked`] : []),
    ];
  } finally {
    bare.stop();
    await stage.close();
  }
}

async function runLoad(load: Load): Promise<LoadResult> {
  const script = fileURLToPath(new URL("ingest-load.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(load)]);
  return JSON.parse(stdout) as LoadResult;
}

async function startBare(stage: FleetStage): Promise<{ readonly url: string; stop(): void }> {
  const { id, privateKey, webhookSecret } = stage.sandbox.app;
  const script = fileURLToPath(new URL("bare-probot.ts", import.meta.url));
  const port = 20_000 + (process.pid % 20_000);
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"] ?? "",
      APP_ID: String(id),
      PRIVATE_KEY: privateKey,
      WEBHOOK_SECRET: webhookSecret,
      PORT: String(port),
    },
  });
  await once(createInterface({ input: child.stdout }), "line");
  return { url: `http://127.0.0.1:${port}/api/github/webhooks`, stop: () => void child.kill("SIGTERM") };
}

function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
