/** The App's process from outside: signals, pages for operators, the webhook's address, its log. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { execFile } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { AppProcess } from "../../src/cli/demo/app-process.ts";
import type { JobRequest } from "../../src/contracts/job.ts";
import type { Delivery } from "../../src/sandbox/webhooks/delivery.ts";
import { findDoubles } from "../fleet-stage/find-doubles.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";
import { startStall } from "../fleet-stage/stall.ts";

const execute = promisify(execFile);

let stage: FleetStage;
let app: AppProcess;
let repository: string;
let issue: number;
let onJob: (job: JobRequest) => void = () => undefined;
const lines: string[] = [];

const DATABASE_SECRET = "pw-5d0c2f-not-for-logs";

beforeAll(async () => {
  stage = await openFleetStage({
    runner: createScriptedRunner({ chunks: () => buildChunks(1), onJob: (job) => onJob(job) }),
  });
  repository = await stage.createRepository("parts");
  app = await stage.startApp({ LOG_LEVEL: "debug" });
  // The address Probot's setup page gives GitHub is the root.
  stage.sandbox.setWebhookTarget(new URL("/", app.webhookUrl).href);
  issue = await stage.startRun(repository);
  await stage.waitForEnd(repository, issue, 60_000);
  lines.push(...app.log);
}, 120_000);

afterAll(async () => {
  await stage.close();
});

async function open(route: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(new URL(route, app.webhookUrl));
  return { status: response.status, text: await response.text() };
}

async function deliver(secret: string): Promise<number> {
  const body = JSON.stringify({ action: "opened", zen: "nothing" });
  const response = await fetch(app.webhookUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** The implementer's, and answered by the App. */
function isEndOfJob({ event, action, body, outcome }: Delivery): boolean {
  return (
    event === "workflow_run" && action === "completed" && body.includes("/implement:") && outcome.kind === "answered"
  );
}

describe("the App's process", () => {
  it("works when GitHub delivers to the root address, as Probot's setup page configures it", () => {
    expect(findDoubles(stage.sandbox, repository)).toEqual([]);
    const { deliveries } = stage.sandbox;
    expect(deliveries.filter(({ outcome }) => outcome.kind === "failed")).toEqual([]);
    expect(deliveries.filter(({ outcome }) => outcome.kind === "answered").length).toBeGreaterThan(20);
  });

  it("refuses a delivery whose signature is wrong, and accepts one that is right", async () => {
    expect(await deliver("development")).toBe(400);
    expect(await deliver(stage.sandbox.app.webhookSecret)).toBe(200);
  });

  it("says that it lives and that it is ready", async () => {
    expect(await open("/healthz")).toEqual({ status: 200, text: "ok\n" });
    expect(await open("/readyz")).toEqual({ status: 200, text: "ok\n" });
    expect((await open("/nothing")).status).toBe(404);
  });

  it("shows the figures an operator watches", async () => {
    const { text } = await open("/metrics");
    for (const name of [
      "taskfleet_open_runs 0",
      'taskfleet_action_seconds_count{kind="LandChunks",outcome="done"} 1',
      'taskfleet_verdicts_total{outcome="pass"} 2',
      "taskfleet_due_age_seconds",
      "taskfleet_inbox_age_seconds 0",
      "taskfleet_redeliveries_total 0",
      "taskfleet_github_budget_left{installation=",
      'taskfleet_github_requests_total{route="POST /repos/{owner}/{repo}/pulls",status="201"} 2',
      'taskfleet_deliveries_total{event="issues",known="false"}',
      "process_resident_memory_bytes",
    ])
      expect(text).toContain(name);
    const told = readFileSync(path.join(import.meta.dirname, "../../docs/operations.md"), "utf8");
    const names = new Set(told.match(/(?<=`)taskfleet_[a-z_]+/gu));
    expect(names.size).toBeGreaterThan(10);
    for (const name of names) expect(text).toContain(`# HELP ${name} `);
  });

  it("writes structured lines with the run's key and the delivery's id", () => {
    const entries = lines.flatMap((line) => (line.startsWith('{"level"') ? [JSON.parse(line) as object] : []));
    const run = `${issue}-build-the-parts`;
    expect(entries).toContainEqual(expect.objectContaining({ run, action: "LandChunks" }));
    const ids = stage.sandbox.deliveries.map(({ guid }) => guid);
    expect(entries).toContainEqual(expect.objectContaining({ delivery: expect.any(String), event: "issues" }));
    const logged = entries.flatMap((entry) => ("delivery" in entry ? [entry.delivery] : []));
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.every((id) => ids.includes(String(id)))).toBe(true);
    expect(entries).toContainEqual(
      expect.objectContaining({ name: "github", route: expect.any(String), status: 200, tookMs: expect.any(Number) }),
    );
  });

  it("writes no secret, at the most talkative level", () => {
    const { privateKey, webhookSecret } = stage.sandbox.app;
    const tokens = [...stage.sandbox.world.tokens.keys()];
    expect(tokens.length).toBeGreaterThan(1);
    const text = [...lines, ...app.log].join("\n");
    for (const secret of [webhookSecret, ...privateKey.split("\n").filter((line) => line.length > 30), ...tokens])
      expect(text).not.toContain(secret);
  });

  it("ends within ten seconds of SIGTERM, and another process goes on where it stood", async () => {
    const second = await stage.createRepository("second");
    const { promise, resolve } = Promise.withResolvers<void>();
    onJob = (job) => {
      if (job.role === "implement") resolve();
    };
    const number = await stage.startRun(second);
    await promise;
    const before = Date.now();
    await app.stop();
    expect(await app.exited).toBe(0);
    expect(Date.now() - before).toBeLessThan(10_000);
    app = await stage.startApp();
    stage.sandbox.setWebhookTarget(app.webhookUrl);
    await stage.waitForEnd(second, number, 60_000);
    expect(findDoubles(stage.sandbox, second)).toEqual([]);
  }, 100_000);

  it("lists its runs from another process while it runs", async () => {
    // Not synchronously: the App needs the local GitHub, which is in this process.
    const list = async (...args: readonly string[]): Promise<string> => {
      const main = path.join(import.meta.dirname, "../../src/cli/main.ts");
      const { stdout } = await execute(
        process.execPath,
        ["--disable-warning=ExperimentalWarning", main, "runs", ...args],
        { env: { PATH: process.env["PATH"] ?? "", TASKFLEET_DATA_DIR: path.join(stage.folder, "app") } },
      );
      return stdout;
    };
    // What GitHub shows is over a moment before the App has noted that it is.
    const deadline = Date.now() + 45_000;
    while ((await list()) !== "No runs.\n") expect(Date.now()).toBeLessThan(deadline);
    const all = (await list("--all", "--json"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(all).toContainEqual(
      expect.objectContaining({ repository, issue, status: "closed", phase: "ended", landed: 1, chunks: 1 }),
    );
  }, 60_000);

  it("ends within ten seconds of SIGTERM also when GitHub leaves it without an answer", async () => {
    await app.stop();
    const stall = await startStall(stage.sandbox.url);
    app = await stage.startApp({ GHE_HOST: stall.host });
    stage.sandbox.setWebhookTarget(app.webhookUrl);
    const third = await stage.createRepository("third");
    const { promise, resolve } = Promise.withResolvers<void>();
    onJob = (job) => {
      if (job.role !== "implement") return;
      // The job's end makes the App look at it.
      stall.begin();
      resolve();
    };
    const number = await stage.startRun(third);
    await promise;
    const { deliveries } = stage.sandbox;
    while (!deliveries.some(isEndOfJob)) await new Promise((done) => setTimeout(done, 20));
    const before = Date.now();
    await app.stop();
    expect(await app.exited).toBe(0);
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(app.log.join("\n")).toContain("something was still under way");
    await stall.close();
    app = await stage.startApp();
    stage.sandbox.setWebhookTarget(app.webhookUrl);
    await stage.waitForEnd(third, number, 60_000);
    expect(findDoubles(stage.sandbox, third)).toEqual([]);
  }, 130_000);

  it("does not start with a database it cannot reach, and says so without the password", async () => {
    const started = stage.startApp({ DATABASE_URL: `postgres://taskfleet:${DATABASE_SECRET}@127.0.0.1:1/none` });
    const failure: unknown = await started.then(
      () => null,
      (error: unknown) => error,
    );
    expect(String(failure)).toContain("The database cannot be reached");
    expect(String(failure)).not.toContain(DATABASE_SECRET);
  }, 60_000);

  it.each([
    ["Probot's default secret", "development"],
    ["no secret", ""],
  ])("does not start with %s", async (_, WEBHOOK_SECRET) => {
    await expect(stage.startApp({ WEBHOOK_SECRET })).rejects.toThrow("WEBHOOK_SECRET");
  });
});
