/** The composition root: one process of the App. Several of them may share a PostgreSQL database. */
import type { Server as HttpServer } from "node:http";
import type { Logger } from "pino";
import { Server } from "probot";
import { createGitHubPort, type OctokitPort } from "../github/octokit-port.ts";
import type { Store } from "../store/port.ts";
import type { StoreFailure } from "../store/store-failure.ts";
import { buildReceivingProbot } from "./inbox/build-receiving-probot.ts";
import { systemClock } from "./clock.ts";
import { DEFAULT_INTERVALS, type Fleet, type Intervals } from "./context.ts";
import { findLabels } from "./loop/find-labels.ts";
import { ImmutableReads } from "./immutable-reads.ts";
import { createLog } from "./operate/create-log.ts";
import { createMetrics, type Metrics } from "./operate/metrics.ts";
import { createOperatorPages, type OperatorState } from "./operate/operator-pages.ts";
import { putTiming } from "./kept-timing.ts";
import { openDataStore } from "./open-data-store.ts";
import { createReceive, type Receive } from "./inbox/receive-delivery.ts";
import { redeliverFailed } from "./inbox/redeliver.ts";
import { listSecrets, type ServeSettings } from "./serve-settings.ts";
import { storeInTime } from "./store-in-time.ts";
import { WorkerLoop } from "./loop/worker-loop.ts";

export interface Serving {
  /** `http://host:port` */
  readonly url: string;
  /**
   * Takes no more deliveries, lets what is under way come to an end, closes the store.
   * @returns `cut short` when something was still under way at the deadline; its lease runs out and the
   *   next process goes on with it.
   */
  stop(): Promise<"drained" | "cut short">;
  /** Resolves when the process must end although nobody asked it to: its database turned out to be damaged. */
  readonly broken: Promise<StoreFailure>;
}

/** Supervisors kill after 10 s. */
const DRAIN_MS = 9_000;
const WEBHOOK_PATH = "/api/github/webhooks";

/** @param intervals how often things are looked at although no webhook came; tests have no minutes. */
export async function serve(settings: ServeSettings, intervals: Intervals = DEFAULT_INTERVALS): Promise<Serving> {
  const log = createLog({ level: settings.logLevel, secrets: listSecrets(settings) });
  const metrics = createMetrics(systemClock);
  const { promise: broken, resolve: breakDown } = Promise.withResolvers<StoreFailure>();
  const store = await openDataStore(settings, breakDown);
  const github = openGitHub(settings, settings, store, log, metrics);
  const fleet: Fleet = {
    github,
    ...(settings.reviewer === undefined
      ? {}
      : { reviewer: openGitHub(settings, settings.reviewer, store, log, metrics) }),
    store,
    clock: systemClock,
    log,
    timing: { staleReadMs: settings.staleReadMs },
    intervals,
    reads: new ImmutableReads(),
    meter: metrics.meter,
  };
  metrics.watch({ store, clock: systemClock, budgets: github.budgets });
  const loop = new WorkerLoop(fleet);
  const state: OperatorState = { ready: false };
  const server = createServer(settings, log, createReceive({ ...fleet, store: storeInTime(store) }, loop));
  server.addHandler(createOperatorPages(state, store, metrics));
  const http = await server.start();
  acceptRootPath(http);
  const lookAround = singly(async () => {
    await redeliver(fleet);
    await seekLabels(fleet, loop);
  });
  const timer = setInterval(() => {
    void sweep(fleet, loop);
    void lookAround();
  }, fleet.intervals.sweepMs);
  const stop = async (): Promise<"drained" | "cut short"> => {
    state.ready = false;
    clearInterval(timer);
    const drained = await withinDrainTime(drain(server, http, loop));
    if (!drained) log.warn({}, "something was still under way: it is left to the next process");
    http.closeAllConnections();
    await store.close().catch((error: unknown) => log.error({ err: error }, "the store could not be closed"));
    log.flush();
    return drained ? "drained" : "cut short";
  };
  try {
    await putTiming(store, fleet.timing);
    await loop.sweep();
  } catch (error) {
    // Who listens and cannot work would be taken for alive.
    await stop();
    throw error;
  }
  // What failed to reach us while we were away comes again; without it nothing is lost but time.
  void lookAround();
  state.ready = true;
  return { url: `http://${formatHost(server.host)}:${server.port}`, stop, broken };
}

function createServer(settings: ServeSettings, log: Logger, receive: Receive): Server {
  return new Server({
    port: settings.port,
    host: settings.host,
    webhookPath: WEBHOOK_PATH,
    // Every delivery would be a line of its own.
    log: log.child({ name: "server" }, { level: settings.logLevel === "debug" ? "debug" : "warn" }),
    Probot: buildReceivingProbot(settings.webhookSecret, receive).defaults({
      appId: settings.appId,
      privateKey: settings.privateKey,
      secret: settings.webhookSecret,
      log: log.child({ name: "probot" }),
      ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
    }),
  });
}

function openGitHub(
  settings: ServeSettings,
  app: Pick<ServeSettings, "appId" | "privateKey">,
  store: Store,
  log: Logger,
  metrics: Metrics,
): OctokitPort {
  const requests = log.child({ name: "github" });
  return createGitHubPort({
    appId: app.appId,
    privateKey: app.privateKey,
    baseUrl: settings.baseUrl,
    spend: (window, cost, now) => store.spend(window, cost, now),
    log: (entry) => {
      metrics.noteRequest(entry);
      requests.debug(entry, "request");
    },
  });
}

/** Probot's setup page tells GitHub the address `<base>/`, and Probot listens below /api: both are one. */
function acceptRootPath(http: HttpServer): void {
  http.prependListener("request", (request) => {
    if (request.method === "POST" && request.url === "/") request.url = WEBHOOK_PATH;
  });
}

async function drain(server: Server, http: HttpServer, loop: WorkerLoop): Promise<void> {
  const closed = server.stop();
  http.closeIdleConnections();
  await Promise.all([closed, loop.stop()]);
}

/** @returns whether it came to its end in time. */
async function withinDrainTime(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns the same, but nothing is done while it is still under way: GitHub's limits may make it wait for long. */
function singly(work: () => Promise<void>): () => Promise<void> {
  let running = false;
  return async () => {
    if (running) return;
    running = true;
    try {
      await work();
    } finally {
      running = false;
    }
  };
}

async function sweep(fleet: Fleet, loop: WorkerLoop): Promise<void> {
  try {
    await loop.sweep();
  } catch (error) {
    fleet.log.error({ err: error }, "the sweep failed; it comes again");
  }
}

async function seekLabels(fleet: Fleet, loop: WorkerLoop): Promise<void> {
  try {
    if ((await findLabels(fleet)) > 0) loop.poke();
  } catch (error) {
    fleet.log.warn({ err: error }, "labels without a run could not be looked for; it is tried at the next sweep");
  }
}

async function redeliver(fleet: Fleet): Promise<void> {
  try {
    fleet.meter?.redelivered(await redeliverFailed(fleet));
  } catch (error) {
    fleet.log.warn({ err: error }, "failed deliveries could not be asked for again; it is tried at the next sweep");
  }
}

function formatHost(host: string): string {
  // What it listens on is not always what a client can name.
  return host === "::1" || host === "[::1]" || host === "127.0.0.1" ? "localhost" : host;
}
