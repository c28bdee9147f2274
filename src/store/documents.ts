import { createHash } from "node:crypto";
import type { Database } from "./database.ts";
import type { Store } from "./port.ts";

export function createDocuments(database: Database): Pick<Store, "putDocument" | "loadDocument"> {
  return {
    putDocument(text) {
      // As bytes: PostgreSQL's text type refuses U+0000.
      const content = Buffer.from(text, "utf8");
      const name = createHash("sha256").update(content).digest("hex");
      return database.write(async (db) => {
        await db
          .insertInto("documents")
          .values({ name, content })
          .onConflict((conflict) => conflict.column("name").doNothing())
          .execute();
        return name;
      });
    },
    loadDocument: (name) =>
      database.read(async (db) => {
        const row = await db.selectFrom("documents").select("content").where("name", "=", name).executeTakeFirst();
        return row === undefined ? null : Buffer.from(row.content).toString("utf8");
      }),
  };
}
