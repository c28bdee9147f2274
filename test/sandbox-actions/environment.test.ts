import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { SandboxRepository } from "./support/sandbox-repository.ts";
import { buildRequest, jobOf, runTrial } from "./support/run-workflow.ts";

const repository = new SandboxRepository();
afterAll(() => repository.remove());

const dump = jobOf(`- run: env -0 | tr '\\n\\0' '\\t\\n' | sed 's/^/> /'\n  env: { OWN: "1" }`);

async function loadEnvironment(overrides = {}): Promise<Record<string, string>> {
  const { host } = await runTrial(repository, dump, overrides);
  const lines = host.text.split("\n").filter((line) => line.startsWith("> "));
  return Object.fromEntries(lines.map((line) => [line.slice(2, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

describe("a job's environment", () => {
  const planted = {
    GITHUB_TOKEN: "ghp_of_the_host",
    NPM_TOKEN: "npm_of_the_host",
    HTTPS_PROXY: "http://proxy.example",
    NODE_OPTIONS: "--no-warnings",
    npm_config_registry: "http://registry.example",
    SSH_AUTH_SOCK: "/tmp/agent",
  };
  const saved: Record<string, string | undefined> = {};
  beforeEach(() => {
    for (const [name, value] of Object.entries(planted)) {
      saved[name] = process.env[name];
      process.env[name] = value;
    }
  });
  afterEach(() => {
    for (const name of Object.keys(planted)) {
      if (saved[name] === undefined) delete process.env[name];
      else process.env[name] = saved[name];
    }
  });

  it("has nothing of the host's but a search path", async () => {
    const env = await loadEnvironment();
    const foreign = Object.keys(env)
      .filter((name) => !/^(?:GITHUB|RUNNER)_/.test(name))
      .sort();
    // bash itself adds the last three.
    expect(foreign).toEqual(["CI", "HOME", "LANG", "OWN", "PATH", "TMPDIR", "PWD", "SHLVL", "_"].sort());
    expect(env).not.toHaveProperty("GITHUB_TOKEN");
    expect(JSON.stringify(env)).not.toMatch(/of_the_host|proxy\.example|registry\.example/);
  });

  it("puts the runner's own Node first and none of the project's tools", async () => {
    const env = await loadEnvironment();
    const [first, ...rest] = (env["PATH"] ?? "").split(":");
    expect(first).toBe(path.dirname(process.execPath));
    expect(rest.filter((entry) => entry.includes("node_modules"))).toEqual([]);
  });

  it("has GitHub's variables", async () => {
    const env = await loadEnvironment({ runId: 42, runNumber: 7, runAttempt: 2 });
    expect(env).toMatchObject({
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTOR: "ada",
      GITHUB_API_URL: "http://localhost:1/api/v3",
      GITHUB_BASE_REF: "",
      GITHUB_EVENT_NAME: "workflow_dispatch",
      GITHUB_GRAPHQL_URL: "http://localhost:1/api/graphql",
      GITHUB_JOB: "trial",
      GITHUB_REF: "refs/heads/main",
      GITHUB_REF_NAME: "main",
      GITHUB_REF_TYPE: "branch",
      GITHUB_REPOSITORY: "acme/shop",
      GITHUB_REPOSITORY_ID: "77",
      GITHUB_REPOSITORY_OWNER: "acme",
      GITHUB_RUN_ATTEMPT: "2",
      GITHUB_RUN_ID: "42",
      GITHUB_RUN_NUMBER: "7",
      GITHUB_SERVER_URL: "http://localhost:1",
      GITHUB_SHA: repository.run("rev-parse", "main"),
      GITHUB_WORKFLOW: ".github/workflows/trial.yml",
      GITHUB_WORKFLOW_REF: "acme/shop/.github/workflows/trial.yml@refs/heads/main",
      RUNNER_ENVIRONMENT: "self-hosted",
    });
    expect(env["GITHUB_WORKSPACE"]).toMatch(/\/work\/shop\/shop$/);
    for (const name of ["HOME", "TMPDIR", "RUNNER_TEMP", "RUNNER_TOOL_CACHE"])
      expect(env[name]).toContain(repository.folder);
  });

  it("tells a pull request's branches", async () => {
    const text = dump.replace("workflow_dispatch", "pull_request");
    const env = await loadEnvironment({
      event: { name: "pull_request", action: "opened", number: 4, baseRef: "main", headRef: "topic" },
      ref: "refs/pull/4/merge",
      workflow: { path: "w.yml", text },
    });
    expect(env).toMatchObject({ GITHUB_BASE_REF: "main", GITHUB_HEAD_REF: "topic", GITHUB_REF_NAME: "4/merge" });
  });

  it("cannot have GitHub's variables replaced by a step", async () => {
    const { host } = await runTrial(
      repository,
      jobOf(`
- run: echo "GITHUB_SHA=forged" >> "$GITHUB_ENV"
- run: echo "> $GITHUB_SHA $GITHUB_REPOSITORY"
  env: { GITHUB_REPOSITORY: evil/repo }
`),
    );
    expect(host.text).toContain(`> ${repository.run("rev-parse", "main")} acme/shop`);
  });

  it("has the event's payload as a file, with the inputs of a dispatch", async () => {
    const text = jobOf(`- run: node -e 'console.log("> " + JSON.stringify(require(process.env.GITHUB_EVENT_PATH)))'`);
    const { host } = await runTrial(
      repository,
      text.replace("workflow_dispatch", "{ workflow_dispatch: { inputs: { a: {} } } }"),
      {
        payload: { sender: { login: "ada" } },
        event: { name: "workflow_dispatch", inputs: { a: "1" } },
      },
    );
    expect(host.text).toContain(`> {"sender":{"login":"ada"},"inputs":{"a":"1"}}`);
  });

  it("is fresh in every job and gone afterwards", async () => {
    const text = `on: workflow_dispatch
jobs:
  one:
    runs-on: x
    steps: [{ run: 'touch "$HOME/mark" mark "$TMPDIR/mark"; mkdir locked; touch locked/x; chmod 500 locked' }]
  two:
    needs: one
    runs-on: x
    steps: [{ run: 'test ! -e "$HOME/mark" && test ! -e mark && test ! -e "$TMPDIR/mark"' }]
`;
    const request = buildRequest(repository, text);
    const { conclusion } = await runTrial(repository, text, { workDir: request.workDir });
    expect([conclusion, existsSync(request.workDir)]).toEqual(["success", false]);
  });
});

describe("the token", () => {
  const tokenOf = async (workflowKeys: string, jobKeys: string): Promise<unknown> => {
    const text = jobOf("- run: 'true'", jobKeys).replace("jobs:", `${workflowKeys}\njobs:`);
    const { host } = await runTrial(repository, text);
    return host.tokens[0];
  };

  it("reads contents and packages unless told otherwise", async () => {
    expect(await tokenOf("", "")).toEqual({ contents: "read", packages: "read", metadata: "read" });
  });

  it("has nothing but metadata under `permissions: {}`", async () => {
    expect(await tokenOf("permissions: {}", "")).toEqual({ metadata: "read" });
  });

  it("has what the job says in place of what the workflow says", async () => {
    expect(
      await tokenOf(
        "permissions: { contents: write, issues: read }",
        "permissions: { pull-requests: write, checks: none }",
      ),
    ).toEqual({ pull_requests: "write", metadata: "read" });
  });

  it("has every scope under write-all", async () => {
    expect(await tokenOf("permissions: write-all", "")).toMatchObject({
      contents: "write",
      statuses: "write",
      pull_requests: "write",
    });
  });
});
