/** The composition root: one process of the App. Several of them may share a PostgreSQL database. */
import type { Server as HttpServer } from "node:http";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import pino, { type Logger } from "pino";
import { Probot, Server } from "probot";
import { createGitHubPort } from "../github/octokit-port.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/port.ts";
import { createApp } from "./app.ts";
import { systemClock } from "./clock.ts";
import { DEFAULT_INTERVALS, type Fleet } from "./context.ts";
import { ImmutableReads } from "./immutable-reads.ts";
import { redeliverFailed } from "./redeliver.ts";
import type { ServeSettings } from "./serve-settings.ts";
import { WorkerLoop } from "./worker-loop.ts";

export interface Serving {
  /** `http://host:port` */
  readonly url: string;
  /** Stops taking deliveries, finishes what is under way, closes the store. */
  stop(): Promise<void>;
}

export async function serve(settings: ServeSettings): Promise<Serving> {
  const log = pino(
    { level: settings.logLevel, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
  const store = await openDataStore(settings);
  const fleet = buildFleet(settings, store, log);
  const loop = new WorkerLoop(fleet);
  const server = new Server({
    port: settings.port,
    host: settings.host,
    // Every delivery would be a line of its own.
    log: log.child({ name: "server" }, { level: settings.logLevel === "debug" ? "debug" : "warn" }),
    Probot: Probot.defaults({
      appId: settings.appId,
      privateKey: settings.privateKey,
      secret: settings.webhookSecret,
      log: log.child({ name: "probot" }),
      ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
    }),
  });
  await server.load(createApp(fleet, loop));
  let ready = false;
  server.addHandler((request, response) => {
    const route = request.url?.split("?")[0];
    if (request.method !== "GET" || (route !== "/healthz" && route !== "/readyz")) return false;
    const good = route === "/healthz" || ready;
    response.writeHead(good ? 200 : 503, { "content-type": "text/plain" }).end(good ? "ok\n" : "starting\n");
    return true;
  });
  const http: HttpServer = await server.start();
  const timer = setInterval(() => void tick(fleet, loop), fleet.intervals.sweepMs);
  await loop.sweep();
  // What failed to reach us while we were away comes again; without it nothing is lost but time.
  void redeliver(fleet);
  ready = true;
  return {
    url: `http://${formatHost(server.host)}:${server.port}`,
    stop: async () => {
      ready = false;
      clearInterval(timer);
      http.closeIdleConnections();
      await server.stop();
      await loop.stop();
      await store.close();
    },
  };
}

async function openDataStore(settings: ServeSettings): Promise<Store> {
  if (settings.databaseUrl !== undefined) return openStore({ url: settings.databaseUrl });
  await mkdir(settings.dataDir, { recursive: true });
  return openStore({ file: path.join(settings.dataDir, "taskfleet.sqlite"), processes: "one" });
}

function buildFleet(settings: ServeSettings, store: Store, log: Logger): Fleet {
  const github = createGitHubPort({
    appId: settings.appId,
    privateKey: settings.privateKey,
    baseUrl: settings.baseUrl,
    spend: (window, cost, now) => store.spend(window, cost, now),
  });
  return {
    github,
    store,
    clock: systemClock,
    log,
    timing: { staleReadMs: settings.staleReadMs },
    intervals: DEFAULT_INTERVALS,
    reads: new ImmutableReads(),
  };
}

async function tick(fleet: Fleet, loop: WorkerLoop): Promise<void> {
  await redeliver(fleet);
  try {
    await loop.sweep();
  } catch (error) {
    fleet.log.error({ err: error }, "the sweep failed; it comes again");
  }
}

async function redeliver(fleet: Fleet): Promise<void> {
  try {
    await redeliverFailed(fleet);
  } catch (error) {
    fleet.log.warn({ err: error }, "failed deliveries could not be asked for again; it is tried at the next sweep");
  }
}

function formatHost(host: string): string {
  // What it listens on is not always what a client can name.
  return host === "::1" || host === "[::1]" || host === "127.0.0.1" ? "localhost" : host;
}
