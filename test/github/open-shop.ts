import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createGitHubPort, type GitHubPortOptions, type OctokitPort } from "../../src/github/octokit-port.ts";
import type { RepositoryRef } from "../../src/github/port.ts";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/sandbox-options.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";

/** A local GitHub with a repository `octo/shop`, where `mona` maintains, and one open issue. */
export interface Shop {
  readonly sandbox: Sandbox;
  readonly ref: RepositoryRef;
  readonly issue: number;
  /** An instance of the App; its pauses are short. */
  connect(options?: Partial<GitHubPortOptions>): OctokitPort;
  /** A request of the owner's. */
  readonly octo: (method: "GET" | "POST", path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export async function openShop(
  options: Partial<SandboxOptions> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Shop> {
  const folder = mkdtempSync(path.join(tmpdir(), "taskfleet-shop-"));
  const source = path.join(folder, "files");
  for (const [name, text] of Object.entries({ "README.md": "# Shop\n\nA line.\n", ...files })) {
    mkdirSync(path.dirname(path.join(source, name)), { recursive: true });
    writeFileSync(path.join(source, name), text);
  }
  const sandbox = await startSandbox({ limits: "off", ...options, dataDir: path.join(folder, "data") });
  const owner = sandbox.createUser("octo");
  sandbox.createUser("mona");
  const { id } = await sandbox.createRepository({
    owner: "octo",
    name: "shop",
    fromDir: source,
    collaborators: { mona: "maintain" },
  });
  const answer = await fetch(`${sandbox.apiUrl}/repos/octo/shop/issues`, {
    method: "POST",
    headers: { authorization: `token ${owner.token}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Add search", body: "Please." }),
  });
  return {
    sandbox,
    ref: { id, owner: "octo", name: "shop", installationId: sandbox.installationId },
    issue: ((await answer.json()) as { number: number }).number,
    connect: (portOptions) =>
      createGitHubPort({
        appId: sandbox.app.id,
        privateKey: sandbox.app.privateKey,
        baseUrl: sandbox.apiUrl,
        pausesMs: [5, 5],
        missingPausesMs: [5, 5, 5],
        ...portOptions,
      }),
    async octo(method, route, body) {
      const response = await globalThis.fetch(`${sandbox.apiUrl}${route}`, {
        method,
        headers: { authorization: `token ${owner.token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Readonly<Record<string, unknown>>;
    },
    async close() {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
