import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/rest";
import type { Sandbox, SandboxOptions, SandboxRepository } from "../../src/sandbox/sandbox-options.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";

const execute = promisify(execFile);

/** A sandbox with one repository, `acme/shop`, and people of every rank. */
export interface SandboxWorld {
  readonly sandbox: Sandbox;
  readonly repository: SandboxRepository;
  /** The App's installation. */
  readonly app: Octokit;
  /** The App itself, by JWT. */
  readonly appJwt: Octokit;
  /** A scratch folder of this world. */
  readonly folder: string;
  readonly tokens: Readonly<Record<"maintainer" | "writer" | "triager" | "reader" | "stranger", string>>;
  as(token: string | null): Octokit;
  installationToken(): Promise<string>;
  close(): Promise<void>;
}

export const REPO = { owner: "acme", repo: "shop" } as const;

/** Writes files below a folder; executable when the name ends in `.sh`. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    if (path.endsWith(".sh")) await chmod(join(folder, path), 0o755);
  }
}

/** Runs git the way a person on a clean machine does. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute("git", args, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    },
  });
  return stdout.trim();
}

export const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n",
  "src/cart.js": "export const add = (a, b) => a + b;\n",
  ".github/workflows/work.yml": [
    "name: Work",
    "run-name: work ${{ inputs.request }}",
    "on:",
    "  workflow_dispatch:",
    "    inputs:",
    "      role: { required: true, type: choice, options: [plan, floor] }",
    "      request: { required: true }",
    "permissions: { contents: read }",
    "jobs:",
    "  work:",
    "    runs-on: ubuntu-latest",
    "    steps:",
    "      - run: echo done",
    "",
  ].join("\n"),
};

/** Quiet client: no retries, no throttling, no log. */
export function buildOctokit(baseUrl: string, token: string | null): Octokit {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  return new Octokit({ baseUrl, log: silent, ...(token === null ? {} : { auth: token }) });
}

export async function createWorld(
  options: Partial<SandboxOptions> & {
    readonly files?: Readonly<Record<string, string>>;
    readonly repository?: Partial<Parameters<Sandbox["createRepository"]>[0]>;
  } = {},
): Promise<SandboxWorld> {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-test-"));
  const { files, repository: repositoryOptions, ...sandboxOptions } = options;
  const sandbox = await startSandbox({
    dataDir: join(folder, "data"),
    limits: "off",
    runner: async (request) => ({ conclusion: "success", runName: request.workflow.path }),
    ...sandboxOptions,
  });
  const tokens = {
    maintainer: sandbox.createUser("maintainer").token,
    writer: sandbox.createUser("writer").token,
    triager: sandbox.createUser("triager").token,
    reader: sandbox.createUser("reader").token,
    stranger: sandbox.createUser("stranger").token,
  };
  await writeFiles(join(folder, "source"), files ?? FILES);
  const repository = await sandbox.createRepository({
    owner: REPO.owner,
    name: REPO.repo,
    fromDir: join(folder, "source"),
    collaborators: { maintainer: "maintain", writer: "write", triager: "triage", reader: "read" },
    ...repositoryOptions,
  });
  const auth = { appId: sandbox.app.id, privateKey: sandbox.app.privateKey };
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const build = (extra: object) =>
    new Octokit({ baseUrl: sandbox.apiUrl, log: silent, authStrategy: createAppAuth, auth: { ...auth, ...extra } });
  const app = build({ installationId: sandbox.installationId });
  const appJwt = build({});
  return {
    sandbox,
    repository,
    app,
    appJwt,
    folder,
    tokens,
    as: (token) => buildOctokit(sandbox.apiUrl, token),
    async installationToken() {
      const { data } = await appJwt.rest.apps.createInstallationAccessToken({
        installation_id: sandbox.installationId,
      });
      return data.token;
    },
    async close() {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
