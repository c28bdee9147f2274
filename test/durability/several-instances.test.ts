/**
 * Several processes of the App over one PostgreSQL database, one of them killed while runs are worked on, and a
 * local GitHub that enforces its limits: together the processes must stay below them, although each installation
 * has more work than a minute of them holds. By default 2 processes and 8 runs of one installation; with
 * TASKFLEET_DURABILITY=all 2 and 4 processes and 40 runs of four (an hour of one holds no more than thirty).
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { findDoubles, listLandings } from "../fleet-stage/find-doubles.ts";
import { type Balancer, startBalancer } from "../fleet-stage/balance.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../store/start-postgres.ts";

const all = process.env["TASKFLEET_DURABILITY"] === "all";
const [runs, owners] = all ? [40, ["octo", "north", "south", "west"]] : [8, ["octo"]];
const bin = findPostgres();
const withServer = bin === null ? describe.skip : describe;

let stage: FleetStage | undefined;
let postgres: PostgresServer | undefined;
let balancer: Balancer | undefined;

afterEach(async () => {
  await stage?.close();
  await balancer?.close();
  postgres?.stop();
});

withServer("several processes of the App over one PostgreSQL database", () => {
  it.each(all ? [2, 4] : [2])(
    "%d processes finish every run, double nothing and share GitHub's limits, though one is killed",
    async (processes) => {
      const { promise: underWay, resolve: begin } = Promise.withResolvers<void>();
      let implemented = 0;
      const runner = createScriptedRunner({
        chunks: () => buildChunks(1),
        onJob: ({ role }) => {
          if (role === "implement" && (implemented += 1) === Math.ceil(runs / 3)) begin();
        },
      });
      const refused: string[] = [];
      stage = await openFleetStage({
        runner,
        limits: "github",
        log: (entry) => {
          if (entry.kind === "request" && (entry.status === 403 || entry.status === 429))
            refused.push(`${entry.method} ${entry.path}: ${entry.status}`);
        },
      });
      balancer = await startBalancer();
      postgres = startPostgres(bin ?? "");
      const env = { DATABASE_URL: postgres.createDatabase() };
      const on = stage;
      const live = await Promise.all(Array.from({ length: processes }, async () => await on.startApp(env)));
      balancer.setTargets(live.map(({ webhookUrl }) => webhookUrl));
      stage.sandbox.setWebhookTarget(balancer.url);
      const began = Date.now();
      const started: { readonly repository: string; readonly issue: number }[] = [];
      for (let index = 0; index < runs; index += 1) {
        const repository = await stage.createRepository(`${owners[index % owners.length]}/parts-${index}`);
        started.push({ repository, issue: await stage.startRun(repository) });
      }
      await underWay;
      const victim = Math.floor(Math.random() * processes);
      const killedAt = Date.now();
      // Which of them has most to lose depends on nothing a test could hold still.
      await live[victim]?.kill();
      for (const { repository, issue } of started) await stage.waitForEnd(repository, issue, all ? 900_000 : 360_000);
      const { total, contentCreating } = stage.sandbox.requests.app;
      console.log(
        `${processes} processes, ${runs} runs: ${((Date.now() - began) / 1000).toFixed(0)} s, process ${victim} killed ` +
          `after ${((killedAt - began) / 1000).toFixed(0)} s; ${total} requests, ${contentCreating} content-creating, ` +
          `${refused.length} refused`,
      );
      for (const { repository } of started) {
        const [owner = "", name = ""] = repository.split("/");
        const state = stage.sandbox.world.findRepository(owner, name);
        expect({
          repository,
          doubles: findDoubles(stage.sandbox, repository),
          landings: listLandings(state?.git.dir ?? "", "main"),
        }).toEqual({ repository, doubles: [], landings: ["feat(c0): Build c0"] });
      }
      // More than a minute's worth of it, or nothing would show whether the limits are shared.
      expect(contentCreating).toBeGreaterThan(80 * owners.length);
      expect(refused).toEqual([]);
    },
    all ? 1_800_000 : 500_000,
  );
});
