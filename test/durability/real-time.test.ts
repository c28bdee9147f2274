/**
 * The App as a process of its own, on a clock that nobody turns, under GitHub's limits: several runs of several
 * chunks at once finish, and the App is never refused anything.
 */
import { spawnSync } from "node:child_process";
import { afterEach, expect, it } from "@jest/globals";
import { findDoubles } from "../fleet-stage/find-doubles.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";

const RUNS = 3;
const CHUNKS = 5;
const WITHIN_MS = 400_000;

let stage: FleetStage | undefined;

afterEach(async () => {
  await stage?.close();
});

it(
  `${RUNS} runs of ${CHUNKS} chunks finish on a real process in real time`,
  async () => {
    const refused: string[] = [];
    stage = await openFleetStage({
      limits: "github",
      runner: createScriptedRunner({ chunks: () => buildChunks(CHUNKS) }),
      log: (entry) => {
        if (entry.kind === "request" && (entry.status === 403 || entry.status === 429))
          refused.push(`${entry.method} ${entry.path}: ${entry.status}`);
      },
    });
    const { webhookUrl } = await stage.startApp({});
    stage.sandbox.setWebhookTarget(webhookUrl);
    const began = Date.now();
    const started: { readonly repository: string; readonly issue: number }[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      const repository = await stage.createRepository(`octo/parts-${index}`);
      started.push({ repository, issue: await stage.startRun(repository) });
    }
    for (const { repository, issue } of started) await stage.waitForEnd(repository, issue, WITHIN_MS);
    const { total, contentCreating } = stage.sandbox.requests.app;
    console.log(
      `${RUNS} runs of ${CHUNKS} chunks on a process: ${((Date.now() - began) / 1000).toFixed(0)} s, ${total} requests, ` +
        `${contentCreating} content-creating, ${refused.length} refused`,
    );
    for (const { repository } of started) {
      const [owner = "", name = ""] = repository.split("/");
      const state = stage.sandbox.world.findRepository(owner, name);
      expect(findDoubles(stage.sandbox, repository)).toEqual([]);
      // Several may have landed together; each has landed once.
      const git = ["log", "--first-parent", "--format=%B", "main"];
      const { stdout } = spawnSync("git", git, { cwd: state?.git.dir, encoding: "utf8" });
      const landed = [...stdout.matchAll(/^Taskfleet-Chunks: (.+)$/gmu)].flatMap(([, ids = ""]) => ids.split(" "));
      expect(landed.toSorted()).toEqual(Array.from({ length: CHUNKS }, (_, n) => `c${n}`));
    }
    expect(refused).toEqual([]);
  },
  WITHIN_MS + 60_000,
);
