/** The doctor on the local GitHub: everything right, and each thing wrong in turn. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createServer, type Server } from "node:http";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { diagnose, type Environment } from "../../src/cli/doctor/diagnose.ts";
import { type Finding, formatFindings } from "../../src/cli/doctor/finding.ts";
import { CONFIG_PATH, WORKFLOW_PATH } from "../../src/contracts/names.ts";
import type { Repository } from "../../src/sandbox/state/repository.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { complaints, strangersKey } from "./doctor-words.ts";
import { startSkewingProxy } from "./skewing-proxy.ts";

let stage: FleetStage;
let health: Server;
let n = 0;
let name = "";
let repository: Repository;
let env: Environment;
/** GitHub's own default. */
const squash = "warning squash-message: squash merges copy the messages of all commits";

beforeAll(async () => {
  stage = await openFleetStage({});
  health = createServer((_, response) => response.end("ok\n"));
  await new Promise<void>((resolve) => health.listen(0, "127.0.0.1", resolve));
  stage.sandbox.setWebhookTarget(`http://127.0.0.1:${(health.address() as AddressInfo).port}/api/github/webhooks`);
});

afterAll(async () => {
  await stage.close();
  health.closeAllConnections();
  await new Promise<void>((resolve) => health.close(() => resolve()));
});

beforeEach(async () => {
  await arrange({});
  env = {
    APP_ID: String(stage.sandbox.app.id),
    PRIVATE_KEY: stage.sandbox.app.privateKey,
    WEBHOOK_SECRET: stage.sandbox.app.webhookSecret,
    GHE_HOST: new URL(stage.sandbox.url).host,
    GHE_PROTOCOL: "http",
    TASKFLEET_DATA_DIR: path.join(stage.folder, "data"),
    GITHUB_TOKEN: stage.token,
  };
});

/** A new repository with other files; it is the one looked at from here on. */
async function arrange(changes: Readonly<Record<string, string | null>>): Promise<void> {
  name = `shop-${(n += 1)}`;
  await stage.createRepository(name, changes);
  await stage.sandbox.idle();
  const found = stage.sandbox.world.findRepository("octo", name);
  if (found === null) throw new Error("it was just created");
  repository = found;
}

afterEach(() => {
  stage.sandbox.resumeInstallation(stage.sandbox.installationId);
});

async function look(change: Environment = {}): Promise<readonly Finding[]> {
  return await diagnose({ ...env, ...change }, { owner: "octo", name });
}

describe("taskfleet doctor", () => {
  it("has nothing to mend where everything is right, but says that the worker is not pinned", async () => {
    const findings = await look();
    expect(findings.filter(({ level }) => level === "problem")).toEqual([]);
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set([
        "settings",
        "database",
        "app",
        "clock",
        "permissions",
        "events",
        "webhook",
        "webhook-reachable",
        "deliveries",
        "installation",
        "token",
        "repository",
        "config",
        "preflight",
        "workflow",
        "worker",
        "floor",
        "merge-method",
        "squash-message",
        "secrets",
        "actions",
      ]),
    );
    expect(complaints(findings)).toEqual([
      expect.stringMatching(/^warning worker: the worker is named by v0/u),
      squash,
    ]);
    for (const { level, why, fix } of findings) expect(why !== "" && fix !== "").toBe(level !== "ok");
  });

  it("names what is missing in the settings, and shows none of their values", async () => {
    const findings = await look({ APP_ID: undefined, WEBHOOK_SECRET: "development" });
    expect(complaints(findings)).toEqual([expect.stringMatching(/APP_ID.*WEBHOOK_SECRET/u)]);
  });

  it("tells a key that is not this App's", async () => {
    expect(complaints(await look({ PRIVATE_KEY: strangersKey() }))).toEqual([
      "problem app: GitHub does not accept the App's id and private key",
    ]);
  });

  it("tells permissions and events the App lacks", async () => {
    const { app } = stage.sandbox.world;
    const before = { permissions: { ...app.permissions }, events: [...app.events] };
    Object.assign(app, { permissions: { ...before.permissions, checks: "read" }, events: ["issues"] });
    const found = complaints(await look());
    Object.assign(app, before);
    expect(found).toContain("problem permissions: the App lacks checks: write");
    expect(found).toContainEqual(expect.stringContaining("problem events: the App does not hear check_run"));
    expect(found).toContain("problem installation: the installation has not accepted checks: write");
  });

  it("tells that the App is not installed, or suspended", async () => {
    expect(complaints(await diagnose(env, { owner: "octo", name: "nowhere" }))).toEqual([
      "problem installation: the App is not installed on octo/nowhere",
    ]);
    stage.sandbox.suspendInstallation(stage.sandbox.installationId);
    expect(complaints(await look())).toEqual(["problem installation: the installation on octo is suspended"]);
  });

  it("tells a workflow file that is missing, changed, or cannot be dispatched", async () => {
    await arrange({ [WORKFLOW_PATH]: "on: push\njobs: {}\n" });
    const changed = complaints(await look());
    expect(changed).toContainEqual(expect.stringMatching(/^problem preflight: .*no `workflow_dispatch` trigger/u));
    expect(changed).toContainEqual(expect.stringMatching(/^warning workflow: .* differs/u));
    await arrange({ [WORKFLOW_PATH]: null });
    expect(complaints(await look())).toContainEqual(
      expect.stringContaining(
        "problem preflight: The workflow file `.github/workflows/taskfleet.yml` is not on `main`",
      ),
    );
  });

  it("tells a worker of several versions, and accepts one that is pinned", async () => {
    const text = readFileSync(path.join(import.meta.dirname, "../../src/worker/workflow/taskfleet.yml"), "utf8");
    const sha = "0123456789abcdef0123456789abcdef01234567";
    await arrange({ [WORKFLOW_PATH]: text.replaceAll("worker@v0", `worker@${sha} # v0.1.0`) });
    expect(complaints(await look())).toEqual([squash]);
    await arrange({ [WORKFLOW_PATH]: text.replace("worker@v0", `worker@${sha}`) });
    expect(complaints(await look())).toContainEqual(expect.stringContaining("problem worker: several versions"));
    await arrange({ [WORKFLOW_PATH]: text.replaceAll("worker@v0", `worker@${sha} # v9.0.0`) });
    expect(complaints(await look())).toContain("warning worker: the worker is v9.0.0, this is v0.1.0");
  });

  it("tells a configuration that is wrong, with the place", async () => {
    await arrange({ [CONFIG_PATH]: "version: 1\nplan: { approval: never }\n" });
    expect(complaints(await look())).toContainEqual(expect.stringMatching(/^problem config: \/plan\/approval /u));
  });

  it("tells a skill and a server's program that the default branch does not hold, and nothing once it does", async () => {
    const config = `version: 1
agents: [{ name: a, preset: command, command: [x], skills: [style], mcps: [tracker] }]
skills: { style: tools/style }
mcps: { tracker: { command: node, args: ["{tools}/tools/tracker.mjs"] } }
`;
    await arrange({ [CONFIG_PATH]: config });
    const preflight = (findings: readonly Finding[]): readonly string[] =>
      complaints(findings).filter((text) => text.includes(" preflight: "));
    expect(preflight(await look())).toEqual([
      "problem preflight: The skill `style` has no `tools/style/SKILL.md` on `main`.",
      "problem preflight: The MCP server `tracker` starts `tools/tracker.mjs`, which is not on `main`.",
    ]);
    await arrange({ [CONFIG_PATH]: config, "tools/style/SKILL.md": "# Style\n", "tools/tracker.mjs": "\n" });
    expect(preflight(await look())).toEqual([]);
  });

  it("says where each setting comes from when the file extends another one of the owner", async () => {
    await stage.createRepository("settings", {
      [CONFIG_PATH]: "plan: { approval: risk }\nlimits: { tries: 1 }\n",
    });
    await arrange({ [CONFIG_PATH]: "_extends: settings\nlimits: { tries: 2 }\n" });
    const tell = async (): Promise<unknown> => (await look()).filter(({ check }) => check === "config");
    expect(await tell()).toMatchObject([
      {
        level: "ok",
        what: `valid: limits from octo/${name}:${CONFIG_PATH}; plan from octo/settings:${CONFIG_PATH}`,
      },
    ]);
    await arrange({ [CONFIG_PATH]: "_extends: elsewhere\n" });
    expect(await tell()).toMatchObject([
      { level: "problem", what: expect.stringContaining("`octo/elsewhere:.github/taskfleet.yml` is not there") },
    ]);
  });

  it("tells that a private `.github` repository's configuration does not count for a public repository", async () => {
    const fromDir = mkdtempSync(path.join(tmpdir(), "taskfleet-doctor-"));
    try {
      mkdirSync(path.join(fromDir, ".github"));
      writeFileSync(path.join(fromDir, CONFIG_PATH), "limits: { tries: 1 }\n");
      const shared = { owner: "octo", name: ".github", fromDir, collaborators: {}, visibility: "private" } as const;
      await stage.sandbox.createRepository(shared);
    } finally {
      rmSync(fromDir, { recursive: true });
    }
    const passedOver = /^warning shared-config: octo\/\.github:\.github\/taskfleet\.yml is in a private repository/u;
    expect(complaints(await look())).not.toContainEqual(expect.stringMatching(passedOver));
    await arrange({ [CONFIG_PATH]: null });
    const findings = await look();
    expect(complaints(findings)).toContainEqual(expect.stringMatching(passedOver));
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "config", what: "no file: everything has its default" }),
    );
  });

  it("tells gates without a command", async () => {
    await arrange({ [CONFIG_PATH]: "version: 1\nagents: [{ name: a, preset: command, command: [x] }]\n" });
    expect(complaints(await look())).toContainEqual(expect.stringContaining("warning floor: no command for typecheck"));
  });

  it("tells a model key that is not stored, by name, and only with a token that may look", async () => {
    await arrange({ [CONFIG_PATH]: "version: 1\nagents: [{ name: builder, preset: claude }]\n" });
    expect(complaints(await look())).toContain(
      "problem secrets: no secret of the repository, or shared with it, for builder (ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN)",
    );
    repository.sharedSecrets.set("ANTHROPIC_API_KEY", "sk-of-all");
    expect(await look()).toContainEqual(expect.objectContaining({ check: "secrets", level: "ok" }));
    repository.sharedSecrets.clear();
    repository.secrets.set("ANTHROPIC_API_KEY", "sk-not-shown");
    const findings = await look();
    expect(findings).toContainEqual(expect.objectContaining({ check: "secrets", level: "ok" }));
    expect(formatFindings(findings)).not.toContain("sk-not-shown");
    expect(complaints(await look({ GITHUB_TOKEN: undefined }))).toContain(
      "unknown secrets: whether the model key is stored",
    );
  });

  it("knows a key of the repository although the organisation's names are refused, but not that there is none", async () => {
    await arrange({ [CONFIG_PATH]: "version: 1\nagents: [{ name: builder, preset: claude }]\n" });
    for (const status of [403, 404] as const) {
      repository.secrets.clear();
      stage.sandbox.faults.onRequest({ path: /\/actions\/organization-secrets$/u }, { kind: "error", status }, 2);
      expect(complaints(await look())).toContain("unknown secrets: whether the model key is stored");
      repository.secrets.set("ANTHROPIC_API_KEY", "sk-not-shown");
      expect(await look()).toContainEqual(expect.objectContaining({ check: "secrets", level: "ok" }));
    }
  });

  it("tells a second App that could not judge, and that it can", async () => {
    const permissions = { contents: "write", pull_requests: "write", metadata: "read" } as const;
    const second = stage.sandbox.registerApp({ slug: "second-reader", owner: "octo", permissions });
    const settings = (appId: number, key: string): Environment => ({
      TASKFLEET_REVIEWER_APP_ID: String(appId),
      TASKFLEET_REVIEWER_PRIVATE_KEY: key,
    });
    const tell = async (change: Environment): Promise<unknown> =>
      (await look(change)).filter(({ check }) => check === "reviewer").map(({ level, what }) => `${level} ${what}`);
    const warning = "warning the second App cannot judge: ";
    expect(await tell({})).toEqual([]);
    expect(await tell(settings(second.appId, second.privateKey))).toEqual([
      "ok second-reader may approve and request changes",
    ]);
    expect(await tell(settings(second.appId, strangersKey()))).toEqual([
      `${warning}GitHub does not accept its id and private key`,
    ]);
    const weak = stage.sandbox.registerApp({
      owner: "octo",
      slug: "weak",
      permissions: { ...permissions, contents: "read" },
    });
    expect(await tell(settings(weak.appId, weak.privateKey))).toEqual([`${warning}it lacks contents: write`]);
    expect(
      (
        await diagnose({ ...env, ...settings(second.appId, second.privateKey) }, { owner: "octo", name: "nowhere" })
      ).filter(({ check }) => check === "reviewer"),
    ).toMatchObject([{ level: "warning", what: expect.stringContaining("not installed on octo/nowhere") }]);
  });

  it("says what it could not look at, whichever request fails, and looks at the rest", async () => {
    for (const path of [
      /\/hook\/deliveries$/u,
      /\/installation$/u,
      /\/access_tokens$/u,
      /^\/repos\/octo\/shop-\d+$/u,
    ]) {
      stage.sandbox.faults.onRequest({ path }, { kind: "error", status: 502 }, 1);
      const findings = await look();
      expect(findings).toContainEqual(
        expect.objectContaining({ level: "unknown", fix: expect.stringContaining("again") }),
      );
      expect(findings).toContainEqual(expect.objectContaining({ check: "permissions", level: "ok" }));
    }
  });

  it("tells that Actions is disabled", async () => {
    repository.actionsEnabled = false;
    expect(complaints(await look())).toContain("problem actions: Actions is disabled for the repository");
  });

  it("tells rulesets that stand in the way of our branches, and of the source branch", async () => {
    repository.rules.push({ branches: "taskfleet/**", type: "creation", rulesetId: 7 });
    repository.rules.push({ branches: "main", type: "pull_request", rulesetId: 8 });
    const found = complaints(await look());
    expect(found).toContainEqual(expect.stringMatching(/^problem preflight: Rulesets cover `taskfleet\/\*\*`/u));
    expect(found).toContain("warning source-rules: rulesets on main demand pull_request");
  });

  it("tells rulesets that demand signed commits, on our branches or on the source branch", async () => {
    for (const branches of ["taskfleet/**", "main"]) {
      repository.rules.push({ branches, type: "required_signatures", rulesetId: 9 });
      expect(complaints(await look())).toContain("unknown signatures: rulesets demand signed commits");
      repository.rules.length = 0;
    }
    repository.rules.push({ branches: "release", type: "required_signatures", rulesetId: 9 });
    expect(complaints(await look()).filter((found) => found.includes("signatures"))).toEqual([]);
  });

  it("tells rulesets that keep a run's branches from being deleted", async () => {
    repository.rules.push({ branches: "taskfleet/**", type: "deletion", rulesetId: 9 });
    const [found] = complaints(await look());
    expect(found).toContain("problem preflight: Rulesets cover `taskfleet/**` branches: deletion: nobody may delete");
  });

  it.each([
    ["ahead of", -120_000],
    ["behind", 120_000],
  ])("tells a clock that is two minutes %s GitHub's", async (words, dateMs) => {
    const proxy = await startSkewingProxy(stage.sandbox.url, { dateMs });
    try {
      const found = complaints(await look({ GHE_HOST: proxy.host }));
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`^problem clock: this machine's clock is 1[12]\\d s ${words} GitHub's$`, "u")),
      );
    } finally {
      await proxy.close();
    }
  });

  it("tells tokens that do not live an hour by this machine's clock", async () => {
    const proxy = await startSkewingProxy(stage.sandbox.url, { tokenMs: 12 * 60_000 });
    try {
      const found = complaints(await look({ GHE_HOST: proxy.host }));
      expect(found).toContain("warning token: a fresh token lives 12 minutes by this machine's clock");
    } finally {
      await proxy.close();
    }
  });

  it("tells a merge method the repository does not allow, and squash messages that copy trailers", async () => {
    repository.allowedMergeMethods.delete("merge");
    const found = complaints(await look());
    expect(found).toContain("problem merge-method: the repository does not allow merge commits");
    expect(found).toContain(squash);
    repository.squashMessage = "PR_BODY";
    expect(complaints(await look())).not.toContain(squash);
  });

  it("tells an archived repository", async () => {
    stage.sandbox.archiveRepository(`octo/${name}`);
    expect(complaints(await look())).toContain("problem repository: the repository is archived");
    stage.sandbox.unarchiveRepository(`octo/${name}`);
  });

  it("tells a webhook that leads nowhere, and deliveries that failed", async () => {
    const { port } = health.address() as AddressInfo;
    stage.sandbox.setWebhookTarget("http://127.0.0.1:1/hooks");
    await stage.request(`/repos/octo/${name}/issues`, { method: "POST", body: JSON.stringify({ title: "x" }) });
    await stage.sandbox.idle();
    const found = complaints(await look());
    stage.sandbox.setWebhookTarget(`http://127.0.0.1:${port}/api/github/webhooks`);
    expect(found).toContainEqual(expect.stringMatching(/^problem webhook: .*the path is neither/u));
    expect(found).toContainEqual(expect.stringMatching(/^warning webhook-reachable: .*does not answer/u));
    expect(found).toContainEqual(expect.stringMatching(/^warning deliveries: 1 of the last \d+ failed/u));
  });

  it("tells a database that cannot be reached, without the password", async () => {
    const findings = await look({ DATABASE_URL: "postgres://taskfleet:hunter22@127.0.0.1:1/none" });
    expect(complaints(findings)).toContainEqual(
      expect.stringContaining("problem database: The database cannot be reached"),
    );
    expect(JSON.stringify(findings)).not.toContain("hunter22");
  });
});
