/** A port on a GitHub that exists only as the requests a test expects. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import nock from "nock";
import { createGitHubPort, type GitHubPortOptions, type OctokitPort } from "../../src/github/octokit-port.ts";
import type { RepositoryPort } from "../../src/github/port.ts";
import { createStageClock, PRIVATE_KEY, type StageClock, TOKEN } from "./stage-parts.ts";

export const API = "https://api.github.com";
export const REPO = "/repos/octo/shop";
/**
 * Requests expected at an address. Each answer closes its connection: the connections that `fetch`
 * keeps outlive a test file, and nock's would answer the next file's requests.
 */
export function expectAt(address: string, options?: nock.Options): nock.Scope {
  return nock(address, options).defaultReplyHeaders({ connection: "close" });
}

export interface Stage {
  /** The expected requests; all of them must have come by the end of the test. */
  api: nock.Scope;
  port: OctokitPort;
  repository: RepositoryPort;
  clock: StageClock;
  /** Another port, with other options, on the same clock. */
  open(options: Partial<GitHubPortOptions>): RepositoryPort;
}

/** Call at the top of a test file. */
export function setUpStage(): Stage {
  const stage = {} as Stage;
  const create = (options: Partial<GitHubPortOptions> = {}): OctokitPort =>
    createGitHubPort({ appId: 7, privateKey: PRIVATE_KEY, clock: stage.clock, ...options });
  const ref = { id: 99, owner: "octo", name: "shop", installationId: 5 };
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  beforeEach(() => {
    stage.clock = createStageClock();
    stage.api = expectAt(API);
    expectTokens();
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

/** Tokens are minted as often as they are asked for. */
function expectTokens(): void {
  expectAt(API)
    .persist()
    .post("/app/installations/5/access_tokens")
    .reply(201, {
      token: TOKEN,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: { contents: "write" },
      repository_selection: "all",
    });
}
