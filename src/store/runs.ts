import type { Selectable } from "kysely";
import { parseRunKey } from "../contracts/ids.ts";
import type { Database } from "./database.ts";
import { insertFacts } from "./facts.ts";
import type { RunRecord, Store } from "./port.ts";
import type { Tables } from "./schema.ts";
import { StoreFailure } from "./store-failure.ts";

type RunMethods =
  | "createRun"
  | "loadRun"
  | "loadRunsOfIssue"
  | "loadOpenRuns"
  | "loadRuns"
  | "updateRun"
  | "takeRunNumber";

export function createRuns(database: Database): Pick<Store, RunMethods> {
  return {
    createRun: (run, firstFacts) =>
      database.write(async (db) => {
        const created = await db
          .insertInto("runs")
          .values(formatRow(run))
          .onConflict((conflict) => conflict.columns(["repository_id", "run_key"]).doNothing())
          .executeTakeFirst();
        if (created.numInsertedOrUpdatedRows !== 1n) {
          throw new StoreFailure("exists", `Run ${run.runKey} exists in repository ${run.repositoryId}.`);
        }
        await insertFacts(db, run, 0, firstFacts);
      }),
    loadRun: ({ repositoryId, runKey }) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom("runs")
          .selectAll()
          .where("repository_id", "=", repositoryId)
          .where("run_key", "=", runKey)
          .executeTakeFirst();
        return row === undefined ? null : parseRow(row);
      }),
    loadRunsOfIssue: (repositoryId, issue) =>
      database.read(async (db) => {
        const rows = await db
          .selectFrom("runs")
          .selectAll()
          .where("repository_id", "=", repositoryId)
          .where("issue", "=", issue)
          .orderBy("created_at")
          .orderBy("run_key")
          .execute();
        return rows.map(parseRow);
      }),
    loadOpenRuns: () =>
      database.read(async (db) => {
        const query = db.selectFrom("runs").selectAll().where("status", "=", "open");
        return (await query.orderBy("created_at").orderBy("repository_id").orderBy("run_key").execute()).map(parseRow);
      }),
    loadRuns: () =>
      database.read(async (db) => {
        const query = db.selectFrom("runs").selectAll();
        return (await query.orderBy("created_at").orderBy("repository_id").orderBy("run_key").execute()).map(parseRow);
      }),
    updateRun: ({ repositoryId, runKey }, change) =>
      database.write(async (db) => {
        const set = {
          ...(change.status === undefined ? {} : { status: change.status }),
          ...(change.owner === undefined ? {} : { owner: change.owner }),
          ...(change.name === undefined ? {} : { name: change.name }),
          ...(change.installationId === undefined ? {} : { installation_id: change.installationId }),
        };
        if (Object.keys(set).length === 0) return;
        await db
          .updateTable("runs")
          .set(set)
          .where("repository_id", "=", repositoryId)
          .where("run_key", "=", runKey)
          .execute();
      }),
    takeRunNumber: (repositoryId, day) =>
      database.write(async (db) => {
        const row = await db
          .insertInto("run_numbers")
          .values({ repository_id: repositoryId, day, last: 1 })
          .onConflict((conflict) =>
            conflict
              .columns(["repository_id", "day"])
              .doUpdateSet((expression) => ({ last: expression("run_numbers.last", "+", 1) })),
          )
          .returning("last")
          .executeTakeFirstOrThrow();
        return row.last;
      }),
  };
}

function formatRow(run: RunRecord) {
  return {
    repository_id: run.repositoryId,
    run_key: run.runKey,
    installation_id: run.installationId,
    owner: run.owner,
    name: run.name,
    issue: run.issue,
    status: run.status,
    created_at: run.createdAt,
  };
}

function parseRow(row: Selectable<Tables["runs"]>): RunRecord {
  return {
    repositoryId: row.repository_id,
    runKey: parseRunKey(row.run_key),
    installationId: row.installation_id,
    owner: row.owner,
    name: row.name,
    issue: row.issue,
    status: row.status,
    createdAt: row.created_at,
  };
}
