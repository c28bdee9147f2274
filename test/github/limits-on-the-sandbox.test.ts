/** GitHub's limits as the local GitHub enforces them, on a virtual clock: nothing of ours is ever refused. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import type { RepositoryPort } from "../../src/github/port.ts";
import type { RequestEntry } from "../../src/github/request-log.ts";
import type { Sandbox } from "../../src/sandbox/sandbox-options.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/port.ts";
import { createStageClock, type StageClock } from "./stage-parts.ts";

let folder = "";
let sandbox: Sandbox;
let store: Store;
let clock: StageClock;
let repositoryId = 0;
let issue = 0;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-limits-"));
  const files = path.join(folder, "files");
  mkdirSync(files);
  writeFileSync(path.join(files, "README.md"), "# Shop\n");
  clock = createStageClock();
  sandbox = await startSandbox({ dataDir: path.join(folder, "data"), limits: "github", clock: () => clock.now() });
  const owner = sandbox.createUser("octo");
  const created = await sandbox.createRepository({ owner: "octo", name: "shop", fromDir: files, collaborators: {} });
  repositoryId = created.id;
  const answer = await fetch(`${sandbox.apiUrl}/repos/octo/shop/issues`, {
    method: "POST",
    headers: { authorization: `token ${owner.token}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Add search", body: "Please." }),
  });
  issue = ((await answer.json()) as { number: number }).number;
  store = await openStore({ file: ":memory:" });
});

afterEach(async () => {
  await sandbox.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function startInstance(entries: RequestEntry[]): RepositoryPort {
  const port = createGitHubPort({
    appId: sandbox.app.id,
    privateKey: sandbox.app.privateKey,
    baseUrl: sandbox.apiUrl,
    spend: (window, cost, now) => store.spend(window, cost, now),
    clock,
    maxWaitMs: 3_600_000,
    log: (entry) => entries.push(entry),
  });
  return port.repository({
    id: repositoryId,
    owner: "octo",
    name: "shop",
    installationId: sandbox.installationId,
  });
}

describe("under GitHub's limits", () => {
  it("two instances post 200 comments and write 120 blobs without one refusal", async () => {
    const entries: RequestEntry[] = [];
    const instances = [startInstance(entries), startInstance(entries)];
    const begin = clock.now();
    await Promise.all(
      instances.flatMap((repository, which) => [
        ...Array.from({ length: 100 }, (_, n) => repository.createComment(issue, `Comment ${which}/${n}`)),
        ...Array.from({ length: 60 }, (_, n) => repository.createBlob(`blob ${which}/${n}`)),
      ]),
    );
    expect(entries.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(entries).toHaveLength(320);
    expect(clock.now() - begin).toBeGreaterThan(120_000);
  });
});
