import type { Database } from "./database.ts";
import type { Store } from "./port.ts";

export function createSettings(database: Database): Pick<Store, "putSetting" | "loadSetting"> {
  return {
    putSetting: (key, value) =>
      database.write(async (db) => {
        await db
          .insertInto("settings")
          .values({ key, value })
          .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
          .execute();
      }),
    loadSetting: (key) =>
      database.read(async (db) => {
        const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
        return row?.value ?? null;
      }),
  };
}
