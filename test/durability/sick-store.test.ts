/**
 * The App's process on a database that cannot do its work: deliveries are refused, so that they come again, the
 * process says what is wrong, and when the cause is gone every run comes to its end with nothing twice.
 */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createHmac, randomUUID } from "node:crypto";
import { closeSync, copyFileSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AppProcess } from "../../src/cli/demo/app-process.ts";
import type { JobRequest } from "../../src/contracts/job.ts";
import type { SandboxLogEntry } from "../../src/sandbox/services.ts";
import { findDoubles } from "../fleet-stage/find-doubles.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

const env = { NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "fill-database.ts")}` };
const PAGE_BYTES = 4096;

let stage: FleetStage;
let file: string;
let onJob: (job: JobRequest) => void = () => undefined;
let onRequest: (entry: SandboxLogEntry) => void = () => undefined;

beforeAll(async () => {
  stage = await openFleetStage({
    runner: createScriptedRunner({ chunks: () => buildChunks(1), onJob: (job) => onJob(job) }),
    log: (entry) => onRequest(entry),
  });
  file = path.join(stage.folder, "app", "taskfleet.sqlite");
});
afterAll(async () => await stage.close());

interface Run {
  readonly app: AppProcess;
  readonly repository: string;
  readonly issue: number;
}

/** A run whose implementer is at work: what `strike` does happens before the App hears of its end. */
async function startRun(name: string, strike: (app: AppProcess) => void): Promise<Run> {
  const repository = await stage.createRepository(name);
  const app = await startApp();
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  onJob = ({ role }) => {
    if (role !== "implement") return;
    strike(app);
    resolve();
  };
  const issue = await stage.startRun(repository);
  await underWay;
  onJob = () => undefined;
  return { app, repository, issue };
}

async function startApp(): Promise<AppProcess> {
  const app = await stage.startApp(env);
  stage.sandbox.setWebhookTarget(app.webhookUrl);
  return app;
}

/** A label of another repository. @returns the status. */
async function deliver(app: AppProcess): Promise<number> {
  const body = JSON.stringify({
    action: "labeled",
    issue: { number: 1 },
    label: { name: "taskfleet" },
    sender: { login: "octo", type: "User" },
    installation: { id: 1 },
    repository: { id: 424_242, name: "nowhere", owner: { login: "octo" } },
    filler: "x".repeat(5 * PAGE_BYTES),
  });
  const response = await fetch(app.webhookUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", stage.sandbox.app.webhookSecret).update(body).digest("hex")}`,
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

async function expectWholeRun({ repository, issue }: Run): Promise<void> {
  await stage.waitForEnd(repository, issue, 120_000);
  expect(findDoubles(stage.sandbox, repository)).toEqual([]);
}

/** Overwrites the page where a table begins; the process that has the file must have ended. */
function damage(table: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("select rootpage from sqlite_schema where name = ?").get(table);
  database.close();
  const fd = openSync(file, "r+");
  writeSync(fd, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, (Number(row?.["rootpage"]) - 1) * PAGE_BYTES);
  closeSync(fd);
}

describe("the App's process", () => {
  it("refuses deliveries while its disk is full, takes them again when it is not, and has lost nothing", async () => {
    const run = await startRun("full", (app) => process.kill(app.pid, "SIGUSR2"));
    const { app } = run;
    expect(await deliver(app)).toBe(503);
    process.kill(app.pid, "SIGHUP");
    expect(await deliver(app)).toBe(200);
    await app.stop();
    expect(await app.exited).toBe(0);
    // By now all that it has said was heard.
    expect(app.log.join("\n")).toContain("The database has no room left: free disk space");
    // What was refused is asked for again at the start.
    const again = await startApp();
    await expectWholeRun(run);
    await again.stop();
  }, 200_000);

  it("outlives that somebody holds its database in the middle of an action", async () => {
    const other = new DatabaseSync(file);
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    onRequest = (entry) => {
      if (entry.kind !== "request" || entry.method !== "POST" || !entry.path.endsWith("/pulls")) return;
      onRequest = () => undefined;
      other.exec("begin immediate");
      hold();
    };
    const repository = await stage.createRepository("held");
    const app = await startApp();
    const issue = await stage.startRun(repository);
    await held;
    // Each of them waits for some seconds, and so does whatever the action does with its outcome.
    const statuses = [await deliver(app), await deliver(app), await deliver(app)];
    other.exec("rollback");
    other.close();
    expect(statuses).toEqual([503, 503, 503]);
    expect(app.log.join("\n")).toContain("The database is held by another process");
    expect(await deliver(app)).toBe(200);
    await app.stop();
    expect(await app.exited).toBe(0);
    const again = await startApp();
    await expectWholeRun({ app: again, repository, issue });
    await again.stop();
  }, 200_000);

  it.each([
    ["when it is started", "inbox"],
    ["when it meets the damage in the middle of its work", "facts"],
  ])(
    "ends with an exit code and a sentence on a damaged database, %s, and goes on with a copy of it",
    async (_, table) => {
      const run = await startRun(`damaged-${table}`, () => undefined);
      await run.app.stop();
      copyFileSync(file, `${file}.copy`);
      damage(table);
      const ended = await startApp().then(
        async (app) => {
          const code = await app.exited;
          return `it ended with exit code ${code}\n${app.log.join("\n")}`;
        },
        (error: unknown) => String(error),
      );
      expect(ended).toContain("it ended with exit code 2");
      expect(ended).toContain("The database is damaged or no database: restore a copy");
      for (const name of [`${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
      copyFileSync(`${file}.copy`, file);
      const again = await startApp();
      await expectWholeRun(run);
      await again.stop();
    },
    200_000,
  );
});
