import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JobId } from "../../src/contracts/ids.ts";
import { parseSha } from "../../src/contracts/ids.ts";
import { formatRunName } from "../../src/contracts/names.ts";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { FILES, type Place } from "./place.ts";

/** The port on a local GitHub whose jobs succeed at once. */
export async function openSandboxPlace(): Promise<Place> {
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
  const mona = sandbox.createUser("mona");
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
  const judge = sandbox.registerApp({ slug: "taskfleet-reviewer", owner: owner.login });
  const judges = createGitHubPort({
    appId: judge.appId,
    privateKey: judge.privateKey,
    baseUrl: sandbox.apiUrl,
    pausesMs: [5, 5],
    missingPausesMs: [5, 5],
  });
  const judged = await judges.loadRepositoryRef("octo", "shop");
  if (judged === null) throw new Error("the second App is installed on the repository");
  return {
    port,
    repository,
    issue: number,
    main: parseSha((await repository.loadBranch("main")) ?? ""),
    writer: "mona",
    reviewer: judges.repository(judged),
    label: async (label, change) => {
      const route = `${sandbox.apiUrl}/repos/octo/shop/issues/${number}/labels`;
      const response = await fetch(change === "set" ? route : `${route}/${label}`, {
        method: change === "set" ? "POST" : "DELETE",
        headers: { authorization: `token ${mona.token}`, "content-type": "application/json" },
        ...(change === "set" ? { body: JSON.stringify({ labels: [label] }) } : {}),
      });
      if (!response.ok) throw new Error(`the label was not changed: ${response.status}`);
    },
    idle: () => sandbox.idle(),
    now: () => Date.now(),
    close: async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
