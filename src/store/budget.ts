import { z } from "zod";
import { bookCost } from "./budget-window.ts";
import type { Database } from "./database.ts";
import { lockingRow } from "./locking-row.ts";
import type { Store } from "./port.ts";

const spentSchema = z.object({ slots: z.array(z.tuple([z.number(), z.number()])) });

export function createBudget(database: Database): Pick<Store, "spend"> {
  return {
    spend: (window, cost, now) =>
      // A booking that is forgotten is one request; nobody waits for the disk for that.
      database.writeSoon(async (db) => {
        await db
          .insertInto("budget")
          .values({ key: window.key, spent: '{"slots":[]}' })
          .onConflict((conflict) => conflict.column("key").doNothing())
          .execute();
        const row = await db
          .selectFrom("budget")
          .select("spent")
          .where("key", "=", window.key)
          .$call(lockingRow(database))
          .executeTakeFirstOrThrow();
        const booking = bookCost(spentSchema.parse(JSON.parse(row.spent)), window, cost, now);
        await db
          .updateTable("budget")
          .set({ spent: JSON.stringify(booking.spent) })
          .where("key", "=", window.key)
          .execute();
        return booking.at;
      }),
  };
}
