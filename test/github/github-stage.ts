/** A port on a GitHub that exists only as the requests a test expects. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { generateKeyPairSync } from "node:crypto";
import nock from "nock";
import type { Clock } from "../../src/github/clock.ts";
import { createGitHubPort, type GitHubPortOptions } from "../../src/github/octokit-port.ts";
import type { GitHubPort, RepositoryPort } from "../../src/github/port.ts";

export const API = "https://api.github.com";
export const REPO = "/repos/octo/shop";
/** As long and as shaped as real ones are. */
export const TOKEN = `ghs_7_eyJhbGciOiJSUzI1NiJ9.${"x".repeat(400)}.${"y".repeat(80)}`;

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export { privateKey as PRIVATE_KEY };

export interface StageClock extends Clock {
  /** Every pause anybody made, in ms. */
  readonly slept: number[];
}

/** Time that passes only when somebody sleeps. */
export function createStageClock(start = Date.now()): StageClock {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

export interface Stage {
  /** The expected requests; all of them must have come by the end of the test. */
  api: nock.Scope;
  port: GitHubPort;
  repository: RepositoryPort;
  clock: StageClock;
  /** Another port, with other options, on the same clock. */
  open(options: Partial<GitHubPortOptions>): RepositoryPort;
}

/** Call at the top of a test file. */
export function setUpStage(): Stage {
  const stage = {} as Stage;
  const create = (options: Partial<GitHubPortOptions> = {}): GitHubPort =>
    createGitHubPort({ appId: 7, privateKey, clock: stage.clock, ...options });
  const ref = { id: 99, owner: "octo", name: "shop", installationId: 5 };
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  beforeEach(() => {
    stage.clock = createStageClock();
    stage.api = nock(API);
    expectToken(stage.api);
    stage.port = create();
    stage.repository = stage.port.repository(ref);
    stage.open = (options) => create(options).repository(ref);
  });
  afterEach(() => {
    const pending = nock.pendingMocks().filter((mock) => !mock.includes("access_tokens"));
    nock.cleanAll();
    expect(pending).toEqual([]);
  });
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
  return stage;
}

export function expectToken(api: nock.Scope): void {
  api
    .persist()
    .post("/app/installations/5/access_tokens")
    .reply(201, {
      token: TOKEN,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: { contents: "write" },
      repository_selection: "all",
    })
    .persist(false);
}

/** The failure a promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<{
  readonly kind?: unknown;
  readonly message: string;
  readonly details?: { readonly status?: number; readonly ambiguous?: boolean; readonly retryAfterMs?: number };
}> {
  const error: unknown = await promise.then(
    () => new Error("nothing failed"),
    (reason: unknown) => reason,
  );
  return error as { kind?: unknown; message: string };
}

export const sha = (digit: string): string => digit.repeat(40);
