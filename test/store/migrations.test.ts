import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Kysely, SqliteDialect } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseRunKey } from "../../src/contracts/ids.ts";
import { listMigrations, migrate } from "../../src/store/migrations/migrate.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Tables } from "../../src/store/schema.ts";
import { openSqlite } from "../../src/store/sqlite-database.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-store-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("migrations", () => {
  it("bring a database of the first schema to the newest one with its content", async () => {
    const file = path.join(folder, "first.db");
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite({ file }) }) });
    await migrate(db, "sqlite", "0001-first-schema");
    await db
      .insertInto("runs")
      .values({
        repository_id: 1,
        run_key: "7-a",
        installation_id: 2,
        owner: "o",
        name: "n",
        issue: 7,
        status: "open",
        created_at: 3,
      })
      .execute();
    await db
      .insertInto("facts")
      .values({ repository_id: 1, run_key: "7-a", seq: 1, fact_key: "labeled", at: 3, fact: "{}" })
      .execute();
    await db.destroy();
    const store = await openStore({ file });
    const address = { repositoryId: 1, runKey: parseRunKey("7-a") };
    expect(await store.loadRun(address)).toMatchObject({ issue: 7, status: "open" });
    expect(await store.appendFacts(address, [{ key: "planned", at: 4, fact: "{}" }])).toEqual([
      { seq: 2, key: "planned", at: 4, fact: "{}" },
    ]);
    await store.close();
  });

  it("can be repeated after a crash in the middle", async () => {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite({ file: ":memory:" }) }) });
    for (const migration of Object.values(listMigrations("sqlite"))) {
      await migration.up(db);
      await migration.up(db);
    }
    await db.destroy();
  });

  it("are made once when two processes open a new file at the same time", async () => {
    const file = path.join(folder, "together.db");
    const [one, other] = await Promise.all([openStore({ file }), openStore({ file })]);
    await one.putSetting("seen", "yes");
    expect(await other.loadSetting("seen")).toBe("yes");
    await one.close();
    await other.close();
  });

  it("never go backwards", () => {
    for (const migration of Object.values(listMigrations("postgres"))) expect(migration).not.toHaveProperty("down");
  });

  it("refuse a database that a newer Taskfleet has written", async () => {
    const file = path.join(folder, "newer.db");
    await (await openStore({ file })).close();
    const database = openSqlite({ file });
    database.prepare("insert into kysely_migration values ('9999-future', '2099-01-01')").run([]);
    database.close();
    await expect(openStore({ file })).rejects.toMatchObject({ name: "StoreFailure", kind: "newer" });
  });
});
