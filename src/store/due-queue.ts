import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { Database } from "./database.ts";
import { lockingRow } from "./locking-row.ts";
import type { Lease, Store } from "./port.ts";
import type { Tables } from "./schema.ts";

type DueMethods = "putDue" | "takeDue" | "loadNextDue" | "extendLease" | "releaseLease";

/**
 * A set of keys, not a list of jobs: a key is due or it is not, and one worker at a time has it. What a power
 * failure makes forget here is due once more: deliveries are routed again, and every run is looked at after a start.
 */
export function createDueQueue(database: Database): Pick<Store, DueMethods> {
  // A server of databases may fail while those who hold leases live on: one that was forgotten would be given to
  // another as well. SQLite fails with the machine, and the holder too.
  const lease: Database["write"] = (change) =>
    database.dialect === "postgres" ? database.write(change) : database.writeSoon(change);
  return {
    putDue: (key, at, hints = []) => database.writeSoon((db) => addDue(db, key, at, hints)),
    async takeDue(now, until) {
      // Most polls find nothing: those must cost no transaction.
      const next = await loadNextDue(database);
      if (next === null || next > now) return null;
      return lease((db) => take(database, db, now, until));
    },
    loadNextDue: () => loadNextDue(database),
    extendLease: (held, until) =>
      lease(async (db) => {
        const kept = await db
          .updateTable("due")
          .set({ ready_at: until })
          .where("key", "=", held.key)
          .where("token", "=", held.token)
          .executeTakeFirst();
        return kept.numUpdatedRows === 1n;
      }),
    releaseLease: (held, wakeAt) => database.writeSoon((db) => release(database, db, held, wakeAt)),
  };
}

/** Takes every key from whoever has it: for a process that knows that nobody else is alive. */
export async function endAllLeases(database: Database): Promise<void> {
  await database.write(async (db) => {
    await db.updateTable("due").set({ ready_at: 0 }).where("token", "is not", null).execute();
  });
}

function loadNextDue(database: Database): Promise<number | null> {
  return database.read(async (db) => {
    const row = await db.selectFrom("due").select("ready_at").orderBy("ready_at").limit(1).executeTakeFirst();
    return row?.ready_at ?? null;
  });
}

/** Makes a key due at a time or earlier, with hints that are not waiting already. */
export async function addDue(
  db: Transaction<Tables>,
  key: string,
  at: number,
  hints: readonly string[],
): Promise<void> {
  await db
    .insertInto("due")
    .values({ key, due_at: at, ready_at: at, token: null })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        due_at: sql<number>`case when due.due_at < ${at} then due.due_at else ${at} end`,
        // While somebody works on it, it is ready when the lease ends.
        ready_at: sql<number>`case when due.token is not null or due.ready_at < ${at} then due.ready_at else ${at} end`,
      }),
    )
    .execute();
  if (hints.length === 0) return;
  // The row above is locked by now, so nobody adds to this key's hints at the same time.
  const waiting = await db
    .selectFrom("due_hints")
    .select("hint")
    .where("key", "=", key)
    .where("token", "is", null)
    .execute();
  const known = new Set(waiting.map((row) => row.hint));
  const fresh = [...new Set(hints)].filter((hint) => !known.has(hint));
  if (fresh.length > 0) {
    await db
      .insertInto("due_hints")
      .values(fresh.map((hint) => ({ key, hint, token: null })))
      .execute();
  }
}

async function take(database: Database, db: Transaction<Tables>, now: number, until: number): Promise<Lease | null> {
  const row = await db
    .selectFrom("due")
    .select(["key", "due_at"])
    .where("ready_at", "<=", now)
    .orderBy("ready_at")
    .limit(1)
    .$call((query) => (database.dialect === "postgres" ? query.forUpdate().skipLocked() : query))
    .executeTakeFirst();
  if (row === undefined) return null;
  const token = randomUUID();
  // What is due later stays due: it came while a worker had the key that never finished.
  const due_at = row.due_at !== null && row.due_at > now ? row.due_at : null;
  await db.updateTable("due").set({ token, ready_at: until, due_at }).where("key", "=", row.key).execute();
  const hints = await db.selectFrom("due_hints").select("hint").where("key", "=", row.key).orderBy("seq").execute();
  await db.updateTable("due_hints").set({ token }).where("key", "=", row.key).execute();
  return { key: row.key, token, hints: [...new Set(hints.map(({ hint }) => hint))] };
}

async function release(
  database: Database,
  db: Transaction<Tables>,
  lease: Lease,
  wakeAt: number | null,
): Promise<void> {
  const row = await db
    .selectFrom("due")
    .select("due_at")
    .where("key", "=", lease.key)
    .where("token", "=", lease.token)
    .$call(lockingRow(database))
    .executeTakeFirst();
  if (row === undefined) return;
  await db.deleteFrom("due_hints").where("key", "=", lease.key).where("token", "=", lease.token).execute();
  const times = [row.due_at, wakeAt].filter((time) => time !== null);
  if (times.length === 0) {
    await db.deleteFrom("due").where("key", "=", lease.key).execute();
    return;
  }
  const at = Math.min(...times);
  await db.updateTable("due").set({ token: null, due_at: at, ready_at: at }).where("key", "=", lease.key).execute();
}
