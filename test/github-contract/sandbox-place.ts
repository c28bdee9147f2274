import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JobId } from "../../src/contracts/ids.ts";
import { parseSha } from "../../src/contracts/ids.ts";
import { formatRunName } from "../../src/contracts/names.ts";
import { createGitHubPort } from "../../src/github/octokit-port.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { startReceiver } from "../sandbox/hook-receiver.ts";
import { FILES, type Place, SHARED } from "./place.ts";

/** The port on a local GitHub whose jobs succeed at once. */
export async function openSandboxPlace(): Promise<Place> {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-contract-"));
  const files = path.join(folder, "files");
  writeFiles(files, FILES);
  writeFiles(path.join(folder, "shared"), { [SHARED.path]: SHARED.text });
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
  const { id } = await sandbox.createRepository({
    owner: owner.login,
    name: "shop",
    fromDir: files,
    collaborators: { mona: "maintain" },
  });
  await sandbox.createRepository({
    owner: owner.login,
    name: SHARED.repository,
    fromDir: path.join(folder, "shared"),
    collaborators: {},
  });
  let status = 200;
  const receiver = await startReceiver(() => status);
  const port = createGitHubPort({
    appId: sandbox.app.id,
    privateKey: sandbox.app.privateKey,
    baseUrl: sandbox.apiUrl,
    pausesMs: [5, 5],
    missingPausesMs: [5, 5],
  });
  const repository = port.repository({
    id,
    owner: "octo",
    name: "shop",
    installationId: sandbox.installationId,
  });
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
  const ask = async (token: string, method: string, route: string, body?: object): Promise<Response> => {
    const response = await fetch(`${sandbox.apiUrl}/repos/octo/shop/${route}`, {
      method,
      headers: { authorization: `token ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${route} was answered with ${response.status}`);
    return response;
  };
  const created = await ask(owner.token, "POST", "issues", { title: "Add search", body: "Please.", labels: [] });
  const { number } = (await created.json()) as { number: number };
  return {
    port,
    repository,
    issue: number,
    main: parseSha((await repository.loadBranch("main")) ?? ""),
    writer: "mona",
    reviewer: judges.repository(judged),
    label: async (label, change) => {
      const route = `issues/${number}/labels`;
      if (change === "set") await ask(mona.token, "POST", route, { labels: [label] });
      else await ask(mona.token, "DELETE", `${route}/${label}`);
    },
    report: async (sha, context, state) => void (await ask(mona.token, "POST", `statuses/${sha}`, { context, state })),
    protect: (branch) =>
      void sandbox.world.findRepository("octo", "shop")?.rules.push({
        branches: branch,
        type: "pull_request",
        rulesetId: 1,
      }),
    shared: SHARED,
    listen: async (answer) => {
      await sandbox.idle();
      status = answer === "takes" ? 200 : 500;
      sandbox.setWebhookTarget(receiver.url);
    },
    heard: () => receiver.received.map(({ guid }) => guid),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    idle: () => sandbox.idle(),
    now: () => Date.now(),
    close: async () => {
      await sandbox.close();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}
