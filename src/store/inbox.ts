import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "./database.ts";
import { addDue } from "./due-queue.ts";
import { groupCommits } from "./group-commit.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import type { Concern, Delivery, Store } from "./port.ts";
import type { Tables } from "./schema.ts";

type InboxMethods = "putDelivery" | "loadDeliveries" | "routeDeliveries" | "pruneDeliveries";

/**
 * GitHub redelivers for 3 days (docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks);
 * a GUID is remembered for one more.
 */
const redeliveryWindowMs = 4 * 24 * 60 * 60 * 1000;

export interface Inbox {
  readonly methods: Pick<Store, InboxMethods>;
  /** Resolves when no delivery is on its way into the database. */
  idle(): Promise<void>;
}

export function createInbox(database: Database): Inbox {
  const puts = groupCommits<Put, boolean>({
    commit: (group) => storeGroup(database, group),
    size: ({ delivery }) => delivery.payload.length,
    maxItems: 200,
    maxSize: 16 * 1024 * 1024,
  });
  const methods: Inbox["methods"] = {
    putDelivery: (delivery, concern = "anything") => puts.commit({ delivery, concern }),
    loadDeliveries: (limit) =>
      database.read(async (db) => {
        const last = await findLastToLoad(db, limit);
        const rows = await db
          .selectFrom("inbox")
          .select(["guid", "event", "payload", "received_at"])
          .where("done_at", "is", null)
          .where("seq", "<=", last)
          .orderBy("seq")
          .execute();
        return rows.map((row) => ({
          guid: row.guid,
          event: row.event,
          payload: row.payload ?? "",
          receivedAt: row.received_at,
        }));
      }),
    routeDeliveries: (guids, targets, now) =>
      database.writeSoon(async (db) => {
        if (guids.length > 0) {
          await db
            .updateTable("inbox")
            .set({ done_at: now })
            .where("guid", "in", [...guids])
            .execute();
        }
        // One order everywhere, so that two instances do not wait for each other.
        const sorted = [...targets].sort((a, b) => (a.key < b.key ? -1 : 1));
        for (const target of sorted) await addDue(db, target.key, now, target.hints);
      }),
    pruneDeliveries: (before) =>
      database.writeSoon(async (db) => {
        const emptied = await db
          .updateTable("inbox")
          .set({ payload: null })
          .where("done_at", "is not", null)
          .where("payload", "is not", null)
          .where("received_at", "<", before)
          .executeTakeFirst();
        await db
          .deleteFrom("inbox")
          .where("done_at", "is not", null)
          .where("received_at", "<", before - redeliveryWindowMs)
          .execute();
        return Number(emptied.numUpdatedRows);
      }),
  };
  return { methods, idle: () => puts.idle() };
}

interface Put {
  readonly delivery: Delivery;
  readonly concern: Concern;
}

/** Payloads may have 25 MB each: one go takes no more than this in characters, but always one delivery. */
const loadedAtMost = 32 * 1024 * 1024;

async function findLastToLoad(db: Kysely<Tables>, limit: number): Promise<number> {
  const waiting = await db
    .selectFrom("inbox")
    .select(["seq", sql<number>`length(payload)`.as("size")])
    .where("done_at", "is", null)
    .orderBy("seq")
    .limit(limit)
    .execute();
  let last = 0;
  let size = 0;
  for (const row of waiting) {
    size += row.size;
    if (last > 0 && size > loadedAtMost) break;
    last = row.seq;
  }
  return last;
}

async function storeGroup(database: Database, puts: readonly Put[]): Promise<readonly boolean[]> {
  const fresh = await database.write(async (db) => {
    const concerned = await findConcerned(db, puts);
    const rows = puts.map((put) => ({
      ...put.delivery,
      // What concerns nobody is done; its GUID alone is needed to know it again.
      payload: concerned.has(put) ? put.delivery.payload : null,
      doneAt: concerned.has(put) ? null : put.delivery.receivedAt,
    }));
    return insertDeliveries(db, database.dialect, rows);
  });
  // The same GUID twice in one group: only the first is new.
  return puts.map(({ delivery }) => fresh.delete(delivery.guid));
}

/** Those that somebody has to look at. */
async function findConcerned(db: Transaction<Tables>, puts: readonly Put[]): Promise<ReadonlySet<Put>> {
  const repositories = new Set(
    puts.flatMap(({ concern }) => (typeof concern === "object" ? [concern.openRunsOf] : [])),
  );
  const rows =
    repositories.size === 0
      ? []
      : await db
          .selectFrom("runs")
          .select("repository_id")
          .distinct()
          .where("status", "=", "open")
          .where("repository_id", "in", [...repositories])
          .execute();
  const busy = new Set(rows.map((row) => row.repository_id));
  return new Set(
    puts.filter(({ concern }) => (typeof concern === "object" ? busy.has(concern.openRunsOf) : concern === "anything")),
  );
}
