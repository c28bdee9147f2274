import type { Transaction } from "kysely";
import type { Database } from "./database.ts";
import { lockingRow } from "./locking-row.ts";
import type { NewFact, RunAddress, Store, StoredFact } from "./port.ts";
import type { Tables } from "./schema.ts";
import { StoreFailure } from "./store-failure.ts";

type FactMethods = "appendFacts" | "loadFacts" | "putSnapshot" | "loadSnapshot";

/** Rows per statement: databases bound the number of parameters (SQLite 32,766, PostgreSQL 65,535). */
const batch = 1000;

export function createFacts(database: Database): Pick<Store, FactMethods> {
  return {
    appendFacts: (address, facts, after) =>
      database.write(async (db) => {
        // The run's row is the lock: two appends to one run come one after the other.
        const run = await db
          .selectFrom("runs")
          .select("run_key")
          .where("repository_id", "=", address.repositoryId)
          .where("run_key", "=", address.runKey)
          .$call(lockingRow(database))
          .executeTakeFirst();
        if (run === undefined) {
          throw new StoreFailure("unknown", `There is no run ${address.runKey} in repository ${address.repositoryId}.`);
        }
        const last = await db
          .selectFrom("facts")
          .select((expression) => expression.fn.max("seq").as("seq"))
          .where("repository_id", "=", address.repositoryId)
          .where("run_key", "=", address.runKey)
          .executeTakeFirst();
        const seq = last?.seq ?? 0;
        if (after !== undefined && after !== seq)
          throw new StoreFailure("moved", `Run ${address.runKey} has come to fact ${seq}, not ${after}.`);
        return insertFacts(db, address, seq, await dropKnown(db, address, facts));
      }),
    loadFacts: (address, after = 0) =>
      database.read(async (db) => {
        const rows = await db
          .selectFrom("facts")
          .select(["seq", "fact_key", "at", "fact"])
          .where("repository_id", "=", address.repositoryId)
          .where("run_key", "=", address.runKey)
          .where("seq", ">", after)
          .orderBy("seq")
          .execute();
        return rows.map(({ fact_key: key, ...fact }) => ({ ...fact, key }));
      }),
    putSnapshot: (address, seq, state) =>
      database.writeSoon(async (db) => {
        await db
          .insertInto("snapshots")
          .values({ repository_id: address.repositoryId, run_key: address.runKey, seq, state })
          .onConflict((conflict) =>
            conflict
              .columns(["repository_id", "run_key"])
              .doUpdateSet({ seq, state })
              // A slow worker must not put an older fold over a newer one.
              .where("snapshots.seq", "<=", seq),
          )
          .execute();
      }),
    loadSnapshot: (address) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom("snapshots")
          .select(["seq", "state"])
          .where("repository_id", "=", address.repositoryId)
          .where("run_key", "=", address.runKey)
          .executeTakeFirst();
        return row ?? null;
      }),
  };
}

async function dropKnown(
  db: Transaction<Tables>,
  address: RunAddress,
  facts: readonly NewFact[],
): Promise<readonly NewFact[]> {
  const unique = new Map<string, NewFact>();
  for (const fact of facts) if (!unique.has(fact.key)) unique.set(fact.key, fact);
  const keys = [...unique.keys()];
  for (let start = 0; start < keys.length; start += batch) {
    const known = await db
      .selectFrom("facts")
      .select("fact_key")
      .where("repository_id", "=", address.repositoryId)
      .where("run_key", "=", address.runKey)
      .where("fact_key", "in", keys.slice(start, start + batch))
      .execute();
    for (const row of known) unique.delete(row.fact_key);
  }
  return [...unique.values()];
}

/** Inserts facts whose keys are new and distinct, from position `after` + 1 on. */
export async function insertFacts(
  db: Transaction<Tables>,
  address: RunAddress,
  after: number,
  facts: readonly NewFact[],
): Promise<readonly StoredFact[]> {
  const stored = facts.map((fact, index) => ({ seq: after + index + 1, ...fact }));
  for (let start = 0; start < stored.length; start += batch) {
    const rows = stored.slice(start, start + batch).map(({ key, ...fact }) => ({
      repository_id: address.repositoryId,
      run_key: address.runKey,
      fact_key: key,
      ...fact,
    }));
    await db.insertInto("facts").values(rows).execute();
  }
  return stored;
}
