import { GitHubFailure } from "../contracts/errors.ts";
import { createActions } from "./actions.ts";
import { createBranches } from "./branches.ts";
import { createChecks } from "./checks.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createDeliveries } from "./deliveries.ts";
import { createDownload } from "./download.ts";
import { createEtagCache } from "./etag-cache.ts";
import { createGitData } from "./git-data.ts";
import { createGovernor } from "./governor.ts";
import type { Spend } from "./governor-terms.ts";
import { createInstallationClient, type InstallationClient } from "./installation-client.ts";
import { createIssues } from "./issues.ts";
import { loadRepositories } from "./load-repositories.ts";
import { createOctokitSource } from "./octokit-source.ts";
import type { Author } from "./parse-actor.ts";
import type { GitHubPort, RepositoryPort, RepositoryRef } from "./port.ts";
import { createPulls } from "./pulls.ts";
import { createRecentThings } from "./recent-things.ts";
import { createRepositoryClient } from "./repository-client.ts";
import type { PrimaryBudget, RequestEntry } from "./request-log.ts";
import { createRepositoryReads } from "./repository-reads.ts";
import { createReviews } from "./reviews.ts";
import { createTracker } from "./tracker.ts";

export interface GitHubPortOptions {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  /** The REST root of a GitHub Enterprise Server or a local GitHub, e.g. `http://localhost:1234/api/v3`. */
  readonly baseUrl?: string | undefined;
  /** The store's `spend`: windows shared by all instances. Without it no window is kept. */
  readonly spend?: Spend | undefined;
  readonly clock?: Clock;
  /** Told about every try of every request. */
  readonly log?: (entry: RequestEntry) => void;
  /** Per HTTP request; GitHub itself gives up after 10 s. Default 15,000. */
  readonly requestTimeoutMs?: number;
  /** The longest a request waits for room under GitHub's limits before it fails as transient. Default 20,000. */
  readonly maxWaitMs?: number;
  /** Requests under way at once, per installation. Default 25. */
  readonly maxConcurrent?: number;
  /** Pauses before a failed request that may be repeated is repeated. Default 0.5, 1.5, 4 s. */
  readonly pausesMs?: readonly number[];
  /** Pauses before a 404 on something that should be there is believed. Default 0.5, 1, 2 s. */
  readonly missingPausesMs?: readonly number[];
}

export interface OctokitPort extends GitHubPort {
  /** By installation (null: the App itself): what GitHub said last about the hourly limit, for metrics. */
  readonly budgets: ReadonlyMap<number | null, PrimaryBudget>;
}

/** The port on the real GitHub (or one that speaks its API), through Probot's Octokit. */
export function createGitHubPort(options: GitHubPortOptions): OctokitPort {
  const clock = options.clock ?? systemClock;
  const timeoutMs = options.requestTimeoutMs ?? 15_000;
  const source = createOctokitSource({ ...options, clock, requestTimeoutMs: timeoutMs });
  const governor = createGovernor({
    spend: options.spend,
    clock,
    maxWaitMs: options.maxWaitMs ?? 20_000,
    maxConcurrent: options.maxConcurrent ?? 25,
  });
  const etags = createEtagCache(500);
  const recent = createRecentThings(clock);
  const download = createDownload(timeoutMs * 2);
  const clients = new Map<number | null, InstallationClient>();
  const budgets = new Map<number | null, PrimaryBudget>();
  let contentCreating = 0;
  let app: ReturnType<GitHubPort["loadApp"]> | null = null;

  function clientOf(installation: number | null): InstallationClient {
    const known = clients.get(installation);
    if (known !== undefined) return known;
    const client = createInstallationClient({
      installation,
      source,
      governor,
      clock,
      etags,
      pausesMs: options.pausesMs ?? [500, 1500, 4000],
      count: (operation) => {
        if (operation.cost === "content") contentCreating += 1;
      },
      report: options.log ?? (() => undefined),
      noteBudget: (budget) => budgets.set(installation, budget),
    });
    clients.set(installation, client);
    return client;
  }

  /** Asked once; a failure is not kept. */
  function loadApp(): ReturnType<GitHubPort["loadApp"]> {
    app ??= askApp(clientOf(null)).catch((error: unknown) => {
      app = null;
      throw error;
    });
    return app;
  }

  async function isOwn(author: Author): Promise<boolean> {
    if (author?.type !== "Bot") return false;
    return author.login === (await loadApp()).login;
  }

  return {
    loadApp,
    repository: (ref) => createRepositoryPort(ref),
    async loadRepositoryRef(owner, name) {
      try {
        const installation = await clientOf(null).send("GET /repos/{owner}/{repo}/installation", { owner, repo: name });
        const installationId = installation.data.id;
        const { data } = await clientOf(installationId).send("GET /repos/{owner}/{repo}", { owner, repo: name });
        return { id: data.id, owner, name, installationId };
      } catch (error) {
        if (error instanceof GitHubFailure && error.details.status === 404) return null;
        throw error;
      }
    },
    loadRepositoryRefs: () => loadRepositories(clientOf),
    ...createDeliveries(clientOf(null)),
    budgets,
    roomAt: (installationId, cost) => governor.opensAt(installationId, cost),
    get requests() {
      return { total: source.sent(), contentCreating };
    },
  };

  function createRepositoryPort(ref: RepositoryRef): RepositoryPort {
    const client = createRepositoryClient({
      ref,
      client: clientOf(ref.installationId),
      clock,
      recent,
      missingPausesMs: options.missingPausesMs ?? [500, 1000, 2000],
    });
    return {
      ref,
      ...createRepositoryReads(client),
      ...createGitData(client),
      ...createBranches(client),
      ...createIssues(client, isOwn),
      ...createPulls(client),
      ...createReviews(client, isOwn),
      ...createChecks(client),
      ...createActions(client, download),
      tracker: createTracker(client, isOwn, async () => (await loadApp()).login),
    };
  }
}

async function askApp(client: InstallationClient): ReturnType<GitHubPort["loadApp"]> {
  const { data } = await client.send("GET /app", {});
  if (data === null || data.slug === undefined)
    throw new GitHubFailure("terminal", "GitHub names no slug for the App.");
  return { id: data.id, slug: data.slug, login: `${data.slug}[bot]` };
}
