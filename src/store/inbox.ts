import { type Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import { addDue } from "./due-queue.ts";
import { groupCommits } from "./group-commit.ts";
import type { Delivery, Store } from "./port.ts";
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
  const puts = groupCommits<Delivery, boolean>({
    commit: (deliveries) => insertDeliveries(database, deliveries),
    size: (delivery) => delivery.payload.length,
    maxItems: 200,
    maxSize: 16 * 1024 * 1024,
  });
  const methods: Inbox["methods"] = {
    putDelivery: (delivery) => puts.commit(delivery),
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
      database.write(async (db) => {
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
      database.write(async (db) => {
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

async function insertDeliveries(database: Database, deliveries: readonly Delivery[]): Promise<readonly boolean[]> {
  const inserted = await database.write((db) =>
    db
      .insertInto("inbox")
      .values(
        deliveries.map((delivery) => ({
          guid: delivery.guid,
          event: delivery.event,
          payload: delivery.payload,
          received_at: delivery.receivedAt,
          done_at: null,
        })),
      )
      .onConflict((conflict) => conflict.column("guid").doNothing())
      .returning("guid")
      .execute(),
  );
  const fresh = new Set(inserted.map((row) => row.guid));
  // The same GUID twice in one group: only the first is new.
  return deliveries.map((delivery) => fresh.delete(delivery.guid));
}
