import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { startRun } from "./actions/start-run.ts";
import { buildApi } from "./api.ts";
import { buildActionsApp, createApp } from "./auth/create-app.ts";
import { registerApp } from "./auth/register-app.ts";
import { issueUserToken } from "./auth/tokens.ts";
import { Background } from "./background.ts";
import { createRepository } from "./create-repository.ts";
import { Faults } from "./faults.ts";
import { closeGitRepository } from "./git/git-repository.ts";
import { addGitRoutes } from "./git-http.ts";
import { RateLimits } from "./limits/rate-limits.ts";
import { RequestCounters } from "./limits/request-counters.ts";
import { addPages } from "./pages/add-pages.ts";
import { RefLocks } from "./refs/ref-locks.ts";
import { executeRun } from "./runs/execute-run.ts";
import { RunQueue } from "./runs/run-queue.ts";
import {
  archiveRepository,
  changeSuspension,
  pressCheckButton,
  renameRepository,
  unarchiveRepository,
} from "./owner-actions.ts";
import type { Sandbox, SandboxOptions } from "./sandbox-options.ts";
import { formatRepositoryPage } from "./serialize/serialize-repository.ts";
import type { Services } from "./services.ts";
import type { Installation } from "./state/app.ts";
import { formatFullName } from "./state/repository.ts";
import { World } from "./state/world.ts";
import { buildUrls } from "./view.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

/** Design, section 6. */
const APP_PERMISSIONS = {
  actions: "write",
  checks: "write",
  contents: "write",
  issues: "write",
  pull_requests: "write",
  statuses: "read",
  metadata: "read",
} as const;

const APP_EVENTS = [
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "push",
  "check_run",
  "check_suite",
  "status",
  "workflow_run",
  "repository",
] as const;

const DEFAULT_LAG = { mergeability: 20, merged: 40 };
/** Concurrent jobs of GitHub's free plan. https://docs.github.com/en/actions/reference/limits */
const MAX_SLOTS = 20;

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolvePort, reject) => {
    server.once("error", reject);
    // Loopback only: the sandbox runs what its repositories' workflows say.
    server.listen(port, "localhost", () => {
      const address = server.address();
      resolvePort(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

function addInstallation(world: World): Installation {
  const installation: Installation = {
    id: world.ids.take("installation"),
    appId: world.app.id,
    account: null,
    createdAt: world.now(),
    suspendedAt: null,
  };
  world.installations.set(installation.id, installation);
  return installation;
}

/**
 * Starts a local GitHub: REST below `/api/v3`, GraphQL, git over HTTP, webhooks, Actions, pages. It is as
 * strict as GitHub where the App could get something wrong; what it lacks answers 501.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const now = options.clock ?? Date.now;
  const log = options.log ?? (() => {});
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const { app, privateKey } = createApp(
    {
      id: options.app?.id ?? 1_900_001,
      slug: options.app?.slug ?? "taskfleet",
      name: options.app?.name ?? "Taskfleet",
      webhookSecret: options.app?.webhookSecret ?? "sandbox-webhook-secret",
      permissions: options.app?.permissions ?? APP_PERMISSIONS,
      events: options.app?.events ?? APP_EVENTS,
    },
    now(),
  );
  const world = new World({
    app,
    actionsApp: buildActionsApp(now()),
    now,
    authNow: options.authClock ?? Date.now,
  });
  const installation = addInstallation(world);
  const background = new Background((error) =>
    log({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  const faults = new Faults();
  const webhooks = new Webhooks({ world, background, faults, timeoutMs: options.webhookTimeoutMs ?? 10_000 });
  const counters = new RequestCounters();
  const limits = new RateLimits({ limits: options.limits, now });
  const site = new Hono();
  const answer = getRequestListener((request, env) => site.fetch(request, env), { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  const port = await listen(server, options.port ?? 0);
  const urls = buildUrls(`http://localhost:${port}`);
  const runs: RunQueue = new RunQueue({
    background,
    slots: Math.min(MAX_SLOTS, options.slots ?? 4),
    execute: (repository, run) => executeRun(services, repository, run),
  });
  const services: Services = {
    world,
    urls,
    dataDir,
    background,
    webhooks,
    faults,
    locks: new RefLocks(),
    runs,
    runner: options.runner ?? ((request, host, signal) => startRun(request, host, signal, options.runnerOptions)),
    lag: { ...DEFAULT_LAG, ...options.lag },
    log,
  };
  const api = buildApi(services, { limits, counters, site });
  site.all("/api/v3/*", (c) => api.fetch(c.req.raw, c.env as object));
  site.all("/api/graphql", (c) => api.fetch(c.req.raw, c.env as object));
  addGitRoutes(site, services);
  addPages(site, services);
  return {
    url: urls.html,
    apiUrl: urls.api,
    app: {
      id: app.id,
      slug: app.slug,
      clientId: app.clientId,
      privateKey,
      webhookSecret: app.webhookSecret,
    },
    installationId: installation.id,
    requests: counters,
    deliveries: webhooks.deliveries,
    faults,
    world,
    setWebhookTarget: (url) => webhooks.setTarget(url),
    createUser(login) {
      const account = world.findAccount(login) ?? world.addAccount(login, "User");
      return { login, id: account.id, token: issueUserToken(world, account) };
    },
    async createRepository(repositoryOptions) {
      const repository = await createRepository(services, repositoryOptions);
      return {
        id: repository.id,
        fullName: formatFullName(repository),
        cloneUrl: `${formatRepositoryPage(urls, repository)}.git`,
      };
    },
    registerApp: (settings) => registerApp(world, settings),
    suspendInstallation: (id) => changeSuspension(services, id, now()),
    resumeInstallation: (id) => changeSuspension(services, id, null),
    renameRepository: (fullName, name) => renameRepository(services, fullName, name),
    archiveRepository: (fullName) => archiveRepository(services, fullName),
    unarchiveRepository: (fullName) => unarchiveRepository(services, fullName),
    pressCheckButton: (button) => pressCheckButton(services, button),
    idle: () => background.idle(),
    async close() {
      faults.clear();
      runs.stop();
      await background.close();
      await closeServer(server);
      await Promise.all([...world.repositories.values()].map(({ git }) => closeGitRepository(git)));
    },
  };
}
