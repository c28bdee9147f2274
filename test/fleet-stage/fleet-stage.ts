/**
 * The App as operators run it, processes and all, on a local GitHub whose jobs are scripted: for what
 * concerns the App's process itself (crashes, signals, several instances, limits, logs).
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AppProcess, startAppProcess } from "../../src/cli/demo/app-process.ts";
import { findFreePort } from "../../src/cli/demo/find-free-port.ts";
import type { Intervals } from "../../src/fleet/context.ts";
import { readServeSettings } from "../../src/fleet/serve-settings.ts";
import { serve, type Serving } from "../../src/fleet/serve.ts";
import { CONFIG_PATH, LABEL, parseMarker, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/sandbox-options.ts";
import { listRefs } from "../../src/sandbox/git/refs.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";

export interface FleetStage {
  readonly sandbox: Sandbox;
  /** Everything this stage writes. */
  readonly folder: string;
  /** Whoever sets the labels. */
  readonly token: string;
  /**
   * A repository with the workflow and a configuration that needs no person.
   * @param name of octo's, or `owner/name`: each owner has an installation, with limits of its own
   * @param changes other texts of files, null = without the file.
   * @returns `owner/name`.
   */
  createRepository(name: string, changes?: Readonly<Record<string, string | null>>): Promise<string>;
  /** Opens an issue and labels it. @returns its number. */
  startRun(repository: string, title?: string): Promise<number>;
  /** Starts one more process of the App; without a database address it uses the stage's own file. */
  startApp(env?: Readonly<Record<string, string>>): Promise<AppProcess>;
  /** The App within this process, which gets the webhooks and looks at everything as often as asked; it is stopped with the stage. */
  serveHere(intervals: Intervals): Promise<Serving>;
  /** Resolves when nothing more happens: issue closed, report written, branches gone. @throws when that takes too long. */
  waitForEnd(repository: string, issue: number, withinMs: number): Promise<void>;
  /** A request with octo's token; within a repository, with its owner's. */
  request<Result>(route: string, init?: RequestInit): Promise<Result>;
  close(): Promise<void>;
}

/** The configuration of a stage's repositories: no person is needed, the commands are those of the scripted jobs. */
export function formatStageConfig({ ci = "gather: false", merge = "feature: auto" } = {}): string {
  return [
    "version: 1",
    "agents:",
    "  - { name: default, preset: command, command: [node, agent.mjs] }",
    "plan: { approval: auto }",
    `ci: { ${ci} }`,
    `merge: { ${merge} }`,
    "floor:",
    "  typecheck: { command: types }",
    "  test: { command: tests, report: '-', format: tap }",
    "  lint: { command: lint, report: '-', format: lines }",
    "  enumerate: { command: targets }",
    "",
  ].join("\n");
}

const workflow = path.join(import.meta.dirname, "../../src/worker/workflow/taskfleet.yml");

export async function openFleetStage(options: Partial<SandboxOptions>): Promise<FleetStage> {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-stage-"));
  const files = path.join(folder, "files");
  for (const [name, text] of Object.entries({
    "README.md": "# Parts\n",
    "src/main.js": "export {};\n",
    "test/base.test.js": "// base\n",
    [CONFIG_PATH]: formatStageConfig(),
  })) {
    mkdirSync(path.dirname(path.join(files, name)), { recursive: true });
    writeFileSync(path.join(files, name), text);
  }
  mkdirSync(path.dirname(path.join(files, WORKFLOW_PATH)), { recursive: true });
  copyFileSync(workflow, path.join(files, WORKFLOW_PATH));
  const sandbox = await startSandbox({
    limits: "off",
    slots: 20,
    lag: { mergeability: 0, merged: 0 },
    ...options,
    app: { id: 1001, slug: "taskfleet", name: "Taskfleet", webhookSecret: "stage-secret-8d2f", ...options.app },
    dataDir: path.join(folder, "github"),
  });
  const { login: octo, token } = sandbox.createUser("octo");
  const owners = new Map([[octo, token]]);
  const apps: AppProcess[] = [];
  const served: Serving[] = [];
  let closed = false;

  async function request<Result>(route: string, init: RequestInit = {}): Promise<Result> {
    const [, owner = octo] = /^\/repos\/([^/]+)\//u.exec(route) ?? [];
    const response = await fetch(`${sandbox.apiUrl}${route}`, {
      ...init,
      headers: { authorization: `token ${owners.get(owner) ?? token}`, "content-type": "application/json" },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${route}: ${response.status} ${text}`);
    return (text === "" ? null : JSON.parse(text)) as Result;
  }

  return {
    sandbox,
    folder,
    token,
    request,
    async createRepository(fullName, changes = {}) {
      const [name = "", owner = octo] = fullName.split("/").toReversed();
      if (!owners.has(owner)) owners.set(owner, sandbox.createUser(owner).token);
      const fromDir = path.join(folder, `files-${name}`);
      cpSync(files, fromDir, { recursive: true });
      for (const [file, text] of Object.entries(changes))
        if (text === null) rmSync(path.join(fromDir, file));
        else {
          mkdirSync(path.dirname(path.join(fromDir, file)), { recursive: true });
          writeFileSync(path.join(fromDir, file), text);
        }
      const created = await sandbox.createRepository({ owner, name, fromDir, collaborators: {} });
      rmSync(fromDir, { recursive: true });
      return created.fullName;
    },
    async startRun(repository, title = "Build the parts") {
      const issue = await request<{ number: number }>(`/repos/${repository}/issues`, {
        method: "POST",
        body: JSON.stringify({ title, body: "All of them, please." }),
      });
      await request(`/repos/${repository}/issues/${issue.number}/labels`, {
        method: "POST",
        body: JSON.stringify({ labels: [LABEL] }),
      });
      return issue.number;
    },
    async startApp(env = {}) {
      const app = await startAppProcess({
        appId: sandbox.app.id,
        privateKey: sandbox.app.privateKey,
        webhookSecret: sandbox.app.webhookSecret,
        githubHost: new URL(sandbox.url).host,
        dataDir: path.join(folder, "app"),
        staleReadMs: 50,
        env,
      });
      apps.push(app);
      return app;
    },
    async serveHere(intervals) {
      const serving = await serve(
        readServeSettings({
          APP_ID: String(sandbox.app.id),
          PRIVATE_KEY: sandbox.app.privateKey,
          WEBHOOK_SECRET: sandbox.app.webhookSecret,
          GHE_HOST: new URL(sandbox.url).host,
          GHE_PROTOCOL: "http",
          PORT: String(await findFreePort()),
          TASKFLEET_DATA_DIR: path.join(folder, "app"),
          TASKFLEET_STALE_READ_MS: "50",
          LOG_LEVEL: "silent",
        }),
        intervals,
      );
      served.push(serving);
      sandbox.setWebhookTarget(`${serving.url}/api/github/webhooks`);
      return serving;
    },
    async waitForEnd(repository, issue, withinMs) {
      const deadline = Date.now() + withinMs;
      while (!(await hasEnded(sandbox, repository, issue))) {
        if (closed) throw new Error("the stage was closed");
        if (Date.now() > deadline) {
          const log = apps.slice(-2).flatMap((app) => ["---", ...app.log.slice(-40)]);
          throw new Error(`the run of ${repository}#${issue} did not end in time\n${log.join("\n")}`);
        }
        // The local GitHub has no event for this; its state costs little to look at.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      closed = true;
      // The local GitHub waits for processes that do not keep this one alive.
      const alive = setInterval(() => undefined, 1000);
      await Promise.all([...apps.map((app) => app.kill()), ...served.map((app) => app.stop())]);
      sandbox.setWebhookTarget(null);
      await sandbox.close();
      clearInterval(alive);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function hasEnded(sandbox: Sandbox, fullName: string, issue: number): Promise<boolean> {
  const [owner = "", name = ""] = fullName.split("/");
  const repository = sandbox.world.findRepository(owner, name);
  if (repository?.issues.get(issue)?.state !== "closed") return false;
  const reported = [...repository.comments.values()].some(
    (comment) => comment.issueNumber === issue && parseMarker(comment.body)?.key === "report",
  );
  if (!reported) return false;
  return (await listRefs(repository.git, `refs/heads/taskfleet/${issue}-`)).length === 0;
}
