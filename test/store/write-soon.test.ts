import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "@jest/globals";
import { sql, type Transaction } from "kysely";
import { type Database, openDatabase } from "../../src/store/database.ts";
import type { Tables } from "../../src/store/schema.ts";

let folder: string | undefined;
let database: Database | undefined;

afterEach(async () => {
  await database?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
  database = undefined;
});

/** SQLite's own words: 1 is `normal`, 2 is `full`. */
const said = { soon: 1, durable: 2 };

async function readCaution(db: Transaction<Tables>): Promise<number | undefined> {
  // Other changes are under way: none of them may change how this one is kept.
  await Promise.resolve();
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
  return rows[0]?.synchronous;
}

it("only what may be forgotten waits for no disk, whatever else is written at the same time", async () => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-soon-"));
  const open = await openDatabase({ file: path.join(folder, "a.db") });
  database = open;
  const order = ["durable", "soon", "soon", "durable", "soon", "durable", "durable", "soon"] as const;
  const seen = await Promise.all(
    order.map((when) => (when === "soon" ? open.writeSoon(readCaution) : open.write(readCaution))),
  );
  expect(seen).toEqual(order.map((when) => said[when]));
});

it("a change that fails takes nothing with it, and the next one is kept as it should be", async () => {
  folder = mkdtempSync(path.join(tmpdir(), "taskfleet-soon-"));
  const open = await openDatabase({ file: path.join(folder, "a.db") });
  database = open;
  const failing = open.writeSoon(async (db) => {
    await db.insertInto("settings").values({ key: "a", value: "1" }).execute();
    throw new Error("it fails");
  });
  const kept = open.write(async (db) => {
    const caution = await readCaution(db);
    return [caution, (await db.selectFrom("settings").selectAll().execute()).length];
  });
  await expect(failing).rejects.toThrow("it fails");
  expect(await kept).toEqual([said.durable, 0]);
});
