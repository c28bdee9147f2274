import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JobId } from "../../src/contracts/ids.ts";
import { parseSha } from "../../src/contracts/ids.ts";
import { formatRunName } from "../../src/contracts/names.ts";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { behaviours } from "./behaviours.ts";
import { FILES, type Place } from "./place.ts";

async function createSandboxPlace(): Promise<Place> {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-contract-"));
  const files = path.join(folder, "files");
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(files, file)), { recursive: true });
    writeFileSync(path.join(files, file), text);
  }
  const sandbox = await startSandbox({
    dataDir: path.join(folder, "data"),
    limits: "off",
    runner: async (request, host) => {
      const id = host.jobStarted({ name: "work" });
      host.jobCompleted(id, "success");
      const inputs = request.event.name === "workflow_dispatch" ? request.event.inputs : {};
      return { conclusion: "success", runName: formatRunName(inputs["role"] ?? "", (inputs["job"] ?? "") as JobId) };
    },
  });
  const owner = sandbox.createUser("octo");
  sandbox.createUser("mona");
  const created = await sandbox.createRepository({
    owner: owner.login,
    name: "shop",
    fromDir: files,
    collaborators: { mona: "maintain" },
  });
  const port = createGitHubPort({
    appId: sandbox.app.id,
    privateKey: sandbox.app.privateKey,
    baseUrl: sandbox.apiUrl,
    pausesMs: [5, 5],
    missingPausesMs: [5, 5],
  });
  const repository = port.repository({
    id: created.id,
    owner: "octo",
    name: "shop",
    installationId: sandbox.installationId,
  });
  const answer = await fetch(`${sandbox.apiUrl}/repos/octo/shop/issues`, {
    method: "POST",
    headers: { authorization: `token ${owner.token}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Add search", body: "Please.", labels: [] }),
  });
  const { number } = (await answer.json()) as { number: number };
  return {
    port,
    repository,
    issue: number,
    main: parseSha((await repository.loadBranch("main")) ?? ""),
    writer: "mona",
    idle: () => sandbox.idle(),
    now: () => Date.now(),
    close: async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe("the port on the local GitHub", () => {
  let place: Place;
  beforeAll(async () => {
    place = await createSandboxPlace();
  });
  afterAll(() => place.close());

  for (const [name, behave] of Object.entries(behaviours)) it(name, () => behave(place));
});
