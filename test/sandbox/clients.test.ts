import { afterEach, describe, expect, it } from "@jest/globals";
import { type Probot, type Server, run } from "probot";
import { findFreePort } from "../../src/cli/demo/find-free-port.ts";
import { startRun } from "../../src/sandbox/actions/start-run.ts";
import { FILES, REPO, type SandboxWorld, createWorld } from "./sandbox-world.ts";

const WORKER = [
  "name: Work",
  "on:",
  "  workflow_dispatch: { inputs: { request: { required: true } } }",
  "  push: { branches: [main] }",
  "permissions: { contents: read }",
  "jobs:",
  "  work:",
  "    runs-on: ubuntu-latest",
  "    steps:",
  "      - uses: actions/checkout@v4",
  "      - run: git log -1 --format=%H > result.txt && ls >> result.txt",
  "      - uses: actions/upload-artifact@v4",
  "        with: { name: result, path: result.txt }",
  "",
].join("\n");

let world: SandboxWorld;

afterEach(() => world.close());

describe("GitHub's own clients, unpatched", () => {
  it("Probot takes signed webhooks and answers through the API by GHE_HOST alone", async () => {
    world = await createWorld({ files: { ...FILES, ".github/workflows/work.yml": WORKER } });
    const { host } = new URL(world.sandbox.url);
    const commented = Promise.withResolvers<string>();
    const app = (probot: Probot): void => {
      probot.on("issues.labeled", async (context) => {
        const { data } = await context.octokit.rest.issues.createComment(context.issue({ body: "On it" }));
        commented.resolve(data.user?.login ?? "");
      });
    };
    let server: Server | null = null;
    try {
      server = await run(app, {
        env: {
          APP_ID: String(world.sandbox.app.id),
          PRIVATE_KEY: world.sandbox.app.privateKey,
          WEBHOOK_SECRET: world.sandbox.app.webhookSecret,
          GHE_HOST: host,
          GHE_PROTOCOL: "http",
          LOG_LEVEL: "fatal",
          HOST: "localhost",
          PORT: String(await findFreePort()),
        },
      });
      world.sandbox.setWebhookTarget(`http://localhost:${server.port}/api/github/webhooks`);
      await world.as(world.tokens.writer).rest.issues.create({ ...REPO, title: "Feature", labels: ["taskfleet"] });
      expect(await commented.promise).toBe("taskfleet[bot]");
      await world.sandbox.idle();
      expect(world.sandbox.deliveries.map(({ outcome }) => outcome.kind === "answered" && outcome.statusCode)).toEqual([
        false,
        200,
        200,
        200,
      ]);
    } finally {
      await server?.stop();
    }
  });

  it("a real workflow runs as real processes on a real clone, and its artifact comes through the API", async () => {
    world = await createWorld({ files: { ...FILES, ".github/workflows/work.yml": WORKER }, runner: startRun });
    const { data } = (await world.app.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
      ...REPO,
      workflow_id: "work.yml",
      ref: "main",
      inputs: { request: "r" },
      return_run_details: true,
    })) as unknown as { data: { workflow_run_id: number } };
    await world.sandbox.idle();
    const run = await world.app.rest.actions.getWorkflowRun({ ...REPO, run_id: data.workflow_run_id });
    expect(run.data.conclusion).toBe("success");
    const artifacts = await world.app.rest.actions.listWorkflowRunArtifacts({ ...REPO, run_id: data.workflow_run_id });
    expect(artifacts.data.artifacts.map(({ name }) => name)).toEqual(["result"]);
    const checks = await world.app.rest.checks.listForRef({ ...REPO, ref: "main" });
    expect(checks.data.check_runs.map(({ name, conclusion }) => `${name} ${conclusion}`)).toEqual(["work success"]);
  });
});
