/**
 * GitHub's limits, enforced by the local GitHub on a clock that does not wait: many runs at once finish, no
 * write that was refused is given up, and landings go first. By default 4 runs of 5 chunks; with
 * TASKFLEET_DURABILITY=all 30 runs of 20 chunks, with TASKFLEET_LIMITS=10x10 as many as it says.
 */
import { afterEach, expect, it } from "@jest/globals";
import type { Fleet } from "../../src/fleet/context.ts";
import { ImmutableReads } from "../../src/fleet/immutable-reads.ts";
import { buildReceivingProbot } from "../../src/fleet/inbox/build-receiving-probot.ts";
import { createReceive } from "../../src/fleet/inbox/receive-delivery.ts";
import { WorkerLoop } from "../../src/fleet/loop/worker-loop.ts";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import type { RequestEntry } from "../../src/github/request-log.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/port.ts";
import { Server } from "probot";
import pino from "pino";
import { findDoubles } from "../fleet-stage/find-doubles.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";
import { createHastyClock, type HastyClock } from "./hasty-clock.ts";
import { watchWaits } from "./watch-waits.ts";

const all = process.env["TASKFLEET_DURABILITY"] === "all";
const size = process.env["TASKFLEET_LIMITS"] ?? (all ? "30x20" : "4x5");
const [runs = 0, chunks = 0] = size.split("x").map(Number);
/** What takes that long has stopped; a chunk takes a fifth of a second of one idle core. */
const withinMs = Math.max(400_000, runs * chunks * 6_000);

let stage: FleetStage | undefined;
let store: Store | undefined;
let server: Server | undefined;
let loop: WorkerLoop | undefined;
let clock: HastyClock | undefined;

afterEach(async () => {
  await server?.stop();
  await loop?.stop();
  clock?.stop();
  await store?.close();
  await stage?.close();
});

it(
  `${runs} runs of ${chunks} chunks finish under GitHub's limits, and landings wait least`,
  async () => {
    clock = createHastyClock(() => stage?.sandbox.idle() ?? Promise.resolve());
    const time = clock;
    const began = time.now();
    stage = await openFleetStage({
      limits: "github",
      clock: () => time.now(),
      runner: createScriptedRunner({ chunks: () => buildChunks(chunks) }),
    });
    store = await openStore({ file: ":memory:" });
    const shared = store;
    const watched = watchWaits(store);
    const { waits } = watched;
    const entries: RequestEntry[] = [];
    const fleet: Fleet = {
      github: createGitHubPort({
        appId: stage.sandbox.app.id,
        privateKey: stage.sandbox.app.privateKey,
        baseUrl: stage.sandbox.apiUrl,
        clock: time,
        spend: (window, cost, now) => shared.spend(window, cost, now),
        log: (entry) => entries.push(entry),
      }),
      store: watched.store,
      clock: time,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      timing: { staleReadMs: 50 },
      intervals: { jobMs: 60_000, otherMs: 300_000, sweepMs: 300_000 },
      reads: new ImmutableReads(),
    };
    loop = new WorkerLoop(fleet, 8, time.timers);
    const log = pino({ level: "silent" });
    const { app } = stage.sandbox;
    server = new Server({
      port: 30_000 + (process.pid % 20_000),
      host: "127.0.0.1",
      log,
      Probot: buildReceivingProbot(app.webhookSecret, createReceive(fleet, loop)).defaults({
        appId: app.id,
        privateKey: app.privateKey,
        secret: app.webhookSecret,
        log,
      }),
    });
    await server.start();
    stage.sandbox.setWebhookTarget(`http://127.0.0.1:${server.port}/api/github/webhooks`);
    const started: { readonly repository: string; readonly issue: number }[] = [];
    for (let n = 0; n < runs; n += 1) {
      const repository = await stage.createRepository(`parts-${n}`);
      started.push({ repository, issue: await stage.startRun(repository) });
    }
    for (const { repository, issue } of started) await stage.waitForEnd(repository, issue, withinMs);
    for (const { repository } of started) expect(findDoubles(stage.sandbox, repository)).toEqual([]);
    const refused = entries.filter(({ status }) => status === 403 || status === 429);
    const hours = (time.now() - began) / 3_600_000;
    const [landing, check] = [waits.landings, waits.checks].map((times) => [median(times), Math.max(...times) / 1000]);
    const sent = entries.filter(({ status }) => status !== null).length;
    console.log(
      `${runs} runs of ${chunks} chunks: ${sent} requests, ${fleet.github.requests.contentCreating} content-creating, ` +
        `${hours.toFixed(2)} virtual hours, ${refused.length} refused by GitHub, ${entries.length - sent} by ourselves; ` +
        `seconds from what makes a landing possible to the landing: median ${landing?.[0]?.toFixed(1)}, longest ${landing?.[1]?.toFixed(1)}; ` +
        `from a floor to its check: median ${check?.[0]?.toFixed(1)}, longest ${check?.[1]?.toFixed(1)}; ` +
        `${waits.landed} landed, ${waits.pulls} of them with a pull request`,
    );
    expect(waits.landed).toBe(runs * chunks);
    // The App paces itself: GitHub has to refuse next to nothing, and every run ended all the same.
    expect(refused.length).toBeLessThan(entries.length / 200);
    expect(landing?.[0]).toBeLessThanOrEqual((check?.[0] ?? 0) + 10);
  },
  withinMs + 60_000,
);

/** In seconds. */
function median(times: readonly number[]): number {
  return (times.toSorted((x, y) => x - y)[times.length >> 1] ?? 0) / 1000;
}
