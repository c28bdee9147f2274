/**
 * Several processes of the App over one PostgreSQL database, one of them killed while runs are worked on.
 * By default 2 processes and 8 runs; with TASKFLEET_DURABILITY=all 2 and 4 processes and 40 runs.
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { findDoubles, listLandings } from "../fleet-stage/find-doubles.ts";
import { type Balancer, startBalancer } from "../fleet-stage/balance.ts";
import { type FleetStage, openFleetStage } from "../fleet-stage/fleet-stage.ts";
import { buildChunks, createScriptedRunner } from "../fleet-stage/scripted-runner.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../store/start-postgres.ts";

const all = process.env["TASKFLEET_DURABILITY"] === "all";
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
    "%d processes finish every run and double nothing, though one is killed",
    async (processes) => {
      const runs = all ? 40 : 8;
      const { promise: underWay, resolve: begin } = Promise.withResolvers<void>();
      let implemented = 0;
      const runner = createScriptedRunner({
        chunks: () => buildChunks(1),
        onJob: ({ role }) => {
          if (role === "implement" && (implemented += 1) === Math.ceil(runs / 3)) begin();
        },
      });
      stage = await openFleetStage({ runner });
      balancer = await startBalancer();
      postgres = startPostgres(bin ?? "");
      const env = { DATABASE_URL: postgres.createDatabase() };
      const on = stage;
      const live = await Promise.all(Array.from({ length: processes }, async () => await on.startApp(env)));
      balancer.setTargets(live.map(({ webhookUrl }) => webhookUrl));
      stage.sandbox.setWebhookTarget(balancer.url);
      const started: { readonly repository: string; readonly issue: number }[] = [];
      for (let index = 0; index < runs; index += 1) {
        const repository = await stage.createRepository(`parts-${index}`);
        started.push({ repository, issue: await stage.startRun(repository) });
      }
      await underWay;
      // Which of them has most to lose depends on nothing a test could hold still.
      await live[0]?.kill();
      for (const { repository, issue } of started) await stage.waitForEnd(repository, issue, all ? 900_000 : 240_000);
      for (const { repository } of started) {
        const state = stage.sandbox.world.findRepository("octo", repository.split("/")[1] ?? "");
        expect({
          repository,
          doubles: findDoubles(stage.sandbox, repository),
          landings: listLandings(state?.git.dir ?? "", "main"),
        }).toEqual({ repository, doubles: [], landings: ["feat(c0): Build c0"] });
      }
    },
    all ? 1_800_000 : 400_000,
  );
});
