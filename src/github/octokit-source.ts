import { createPrivateKey } from "node:crypto";
import { ProbotOctokit } from "probot";
import { GitHubFailure } from "../contracts/errors.ts";
import type { Clock } from "./clock.ts";

export type Octokit = InstanceType<typeof ProbotOctokit>;

export interface OctokitSource {
  /** A client with its own token, minted when first needed and renewed by itself. */
  create(installation: number | null): Octokit;
  /** How long ago the installation's token was minted, in ms; Infinity when never. */
  tokenAge(installation: number | null): number;
  /** HTTP requests sent to GitHub so far, those for tokens included. */
  readonly sent: () => number;
}

export interface SourceOptions {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
}

/**
 * Probot's Octokit, without its plugins for retries and throttling: they would repeat effects whose
 * outcome is unknown, and know nothing of other instances. The governor and the client do that.
 *
 * @throws GitHubFailure misconfigured when the key is no private key.
 */
export function createOctokitSource(options: SourceOptions): OctokitSource {
  checkKey(options.privateKey);
  const mintedAt = new Map<number | null, number>();
  let sent = 0;

  const fetchFor =
    (installation: number | null): typeof fetch =>
    async (input, init) => {
      sent += 1;
      const timeout = AbortSignal.timeout(options.requestTimeoutMs);
      const given = init?.signal;
      const signal = given === null || given === undefined ? timeout : AbortSignal.any([given, timeout]);
      // The global one, looked up at the time of the request: tests replace it.
      const response = await globalThis.fetch(input, { ...init, signal });
      if (response.status === 201 && addressOf(input).endsWith("/access_tokens")) {
        mintedAt.set(installation, options.clock.now());
      }
      return response;
    };

  return {
    create: (installation) =>
      new ProbotOctokit({
        ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
        auth: {
          appId: options.appId,
          privateKey: options.privateKey,
          ...(installation === null ? {} : { installationId: installation }),
        },
        request: { fetch: fetchFor(installation) },
        retry: { enabled: false },
        throttle: { enabled: false },
        log: silent,
      }),
    tokenAge: (installation) => options.clock.now() - (mintedAt.get(installation) ?? Number.NEGATIVE_INFINITY),
    sent: () => sent,
  };
}

/** Failures reach the log mapped and redacted; Octokit's own lines would hold addresses and bodies. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === "string") return input;
  return input instanceof URL ? input.href : input.url;
}

function checkKey(pem: string): void {
  try {
    createPrivateKey(pem);
  } catch {
    throw new GitHubFailure("misconfigured", "The App's private key is no key in PEM form.");
  }
}
