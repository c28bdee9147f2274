/** Requests in the name of one installation (or of the App): paced, repeated where that is safe, failures mapped. */
import type { Endpoints } from "@octokit/types";
import { type FailureKind, GitHubFailure } from "../contracts/errors.ts";
import type { Clock } from "./clock.ts";
import type { EtagCache } from "./etag-cache.ts";
import type { Governor } from "./governor.ts";
import { mapError } from "./map-error.ts";
import type { Octokit, OctokitSource } from "./octokit-source.ts";
import { type Raw, readStatus, refuseHalfAnswers, request, statusOf } from "./octokit-request.ts";
import { type Operation, OPERATIONS, type Route } from "./operations.ts";
import { currentPriority } from "./priority.ts";
import { type PrimaryBudget, readBudget, type RequestEntry } from "./request-log.ts";

/** The operations GitHub's own description types; GraphQL has its own method. */
export type RestRoute = Route & keyof Endpoints;
export type Answer<R extends RestRoute> = Endpoints[R]["response"];

export interface SendOptions {
  /** Ask with the ETag of the last answer: for reads that are polled. */
  readonly conditional?: true;
  /** Hand out a redirection instead of following it. */
  readonly redirect?: "manual";
  /** Whether this request may be sent again when no answer came; the operation decides when absent. */
  readonly repeatable?: boolean;
}

export interface InstallationClient {
  /** The newest API version the server knows. */
  readonly apiVersion: () => ApiVersion;
  /** @throws GitHubFailure */
  send<R extends RestRoute>(route: R, parameters: object, options?: SendOptions): Promise<Answer<R>>;
  /** @throws GitHubFailure also for errors inside a successful answer. */
  sendGraphql(query: string, variables: Readonly<Record<string, string>>): Promise<unknown>;
}

export interface ClientOptions {
  readonly installation: number | null;
  readonly source: OctokitSource;
  readonly governor: Governor;
  readonly clock: Clock;
  readonly etags: EtagCache;
  /** Pauses before a request is repeated, in ms; as many repetitions as entries. */
  readonly pausesMs: readonly number[];
  readonly count: (operation: Operation) => void;
  readonly report: (entry: RequestEntry) => void;
  readonly noteBudget: (budget: PrimaryBudget) => void;
}

/** Newest first. Older GitHub Enterprise Servers answer 400 to a version they do not know. */
const apiVersions = ["2026-03-10", "2022-11-28"] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** A token this young may not be known everywhere yet: 401 or 403 for some seconds (octokit/auth-app.js issues 65, 589). */
const freshMs = 15_000;
/** A permission that is really missing must not cost a token per request. */
const renewAfterMs = 60_000;

export function createInstallationClient(options: ClientOptions): InstallationClient {
  const { clock, governor, installation, source } = options;
  let octokit: Octokit = source.create(installation);
  let apiVersion: ApiVersion = apiVersions[0];

  async function attempt(route: Route, call: (octokit: Octokit) => Promise<unknown>): Promise<unknown> {
    const operation: Operation = OPERATIONS[route];
    const demand = { cost: operation.cost, priority: currentPriority() ?? operation.priority };
    const wantedAt = clock.now();
    let sentAt = wantedAt;
    const report = (status: number | null, failure: FailureKind | null): void =>
      options.report({
        route,
        installation,
        status,
        failure,
        waitedMs: sentAt - wantedAt,
        tookMs: clock.now() - sentAt,
      });
    try {
      const answer = await governor.run(installation, demand, () => {
        sentAt = clock.now();
        options.count(operation);
        return call(octokit);
      });
      report(readStatus(answer), null);
      return answer;
    } catch (error) {
      const failure = mapError(error, route, clock.now());
      report(failure.details.status ?? null, failure.kind);
      throw failure;
    }
  }

  async function insist(
    route: Route,
    repeatable: boolean,
    call: (octokit: Octokit) => Promise<unknown>,
  ): Promise<unknown> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt(route, call);
      } catch (error) {
        if (!(error instanceof GitHubFailure)) throw error;
        const pause = options.pausesMs[tries];
        if (pause === undefined || !mayRepeat(error, repeatable)) throw error;
        await clock.sleep(pause);
      }
    }
  }

  /** Whether asking again can help and cannot hurt; prepares what has to change for it. */
  function mayRepeat(failure: GitHubFailure, repeatable: boolean): boolean {
    const { status, retryAfterMs } = failure.details;
    if (retryAfterMs !== undefined) {
      // A limit, ours or GitHub's: nothing goes out before its end, and whoever waits is told.
      if (status !== undefined) governor.pause(installation, clock.now() + retryAfterMs);
      return false;
    }
    if (status === 400 && apiVersion !== "2022-11-28" && /not a supported version/iu.test(failure.message)) {
      apiVersion = "2022-11-28";
      return true;
    }
    if (status === 401 && failure.kind === "transient") {
      // Revoked before its time: a new token says whether we are still welcome.
      octokit = source.create(installation);
      return true;
    }
    if (status === 403 && /not accessible by integration/iu.test(failure.message)) {
      const age = source.tokenAge(installation);
      // An old token does not have what was granted since; a new one may take a while to have it.
      if (age > renewAfterMs) octokit = source.create(installation);
      return age > renewAfterMs || age < freshMs;
    }
    return failure.kind === "transient" && repeatable;
  }

  /** With nothing left, asking on would only be refused, and held against us. */
  function noteBudget({ headers }: Raw): void {
    const budget = readBudget(headers);
    if (budget === null) return;
    options.noteBudget(budget);
    if (budget.remaining === 0) governor.pause(installation, budget.resetAt + 1000);
  }

  return {
    apiVersion: () => apiVersion,
    async send<R extends RestRoute>(route: R, parameters: object, sendOptions: SendOptions = {}): Promise<Answer<R>> {
      const operation: Operation = OPERATIONS[route];
      const key = sendOptions.conditional === true ? JSON.stringify([installation, route, parameters]) : null;
      // A redirected POST would arrive as a GET, and its success would mean nothing.
      const redirect = operation.cost === "read" ? sendOptions.redirect : "manual";
      const response = await insist(route, sendOptions.repeatable ?? operation.repeatable, async (octokit) => {
        const known = key === null ? undefined : options.etags.find(key);
        const answer = await request(octokit, route, {
          ...parameters,
          headers: {
            "x-github-api-version": apiVersion,
            ...(known === undefined ? {} : { "if-none-match": known.etag }),
          },
          ...(redirect === undefined ? {} : { request: { redirect } }),
        }).catch((error: unknown) => {
          if (known !== undefined && statusOf(error) === 304) return known.response as Raw;
          throw error;
        });
        if (answer !== known?.response) noteBudget(answer);
        refuseHalfAnswers(answer, route);
        if (key !== null && typeof answer.headers["etag"] === "string") {
          options.etags.keep(key, { etag: answer.headers["etag"], response: answer });
        }
        return answer;
      });
      return response as Answer<R>;
    },
    sendGraphql: (query, variables) =>
      insist("POST /graphql", OPERATIONS["POST /graphql"].repeatable, (octokit) => octokit.graphql(query, variables)),
  };
}
