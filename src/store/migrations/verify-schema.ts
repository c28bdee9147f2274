import { type Kysely, sql } from "kysely";
import type { Dialect, Tables } from "../schema.ts";
import { StoreFailure } from "../store-failure.ts";
import { listMigrations } from "./migrate.ts";

/**
 * Looks whether a database has our schema, and changes nothing: of a database that is somebody else's, or of a
 * version this one cannot read, nothing is made ours.
 *
 * @throws StoreFailure of kind `foreign`, `older` or `newer`.
 */
export async function verifySchema(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const failure = judgeSchema(await loadMigrations(db, dialect), Object.keys(listMigrations(dialect)));
  if (failure !== null) throw failure;
}

/**
 * @param found the migrations that made the database; null where nothing was ever migrated.
 * @param known ours.
 */
export function judgeSchema(found: readonly string[] | null, known: readonly string[]): StoreFailure | null {
  // Other programs migrate with the same library, into a table of the same name.
  if (found === null || !known.some((name) => found.includes(name)))
    return new StoreFailure("foreign", "There is nothing of Taskfleet in this database: name the one the App uses.");
  const more = found.filter((name) => !known.includes(name));
  if (more.length > 0)
    return new StoreFailure(
      "newer",
      `The database was written by a newer version of Taskfleet (${more.join(", ")}): ask that version.`,
    );
  const missing = known.filter((name) => !found.includes(name));
  if (missing.length > 0)
    return new StoreFailure(
      "older",
      `The database is of an older version of Taskfleet (without ${missing.join(", ")}): start the App of this version, which brings it up to date, then ask again.`,
    );
  return null;
}

async function loadMigrations(db: Kysely<Tables>, dialect: Dialect): Promise<readonly string[] | null> {
  const table = await (
    dialect === "sqlite"
      ? sql<{ name: string | null }>`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`
      : sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`
  ).execute(db);
  if ((table.rows[0]?.name ?? null) === null) return null;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}
