import { type Kysely, type Migration, Migrator } from "kysely";
import { mapStoreError, StoreFailure } from "../store-failure.ts";
import type { Dialect, Tables } from "../schema.ts";
import { firstSchema } from "./first-schema.ts";

/** All migrations by name, in the order of their names. Forward only; a released one never changes. */
export function listMigrations(dialect: Dialect): Readonly<Record<string, Migration>> {
  return { "0001-first-schema": firstSchema(dialect) };
}

/**
 * Brings a database to the newest schema, or to the one after `until`.
 *
 * @throws StoreFailure `newer` when the database knows migrations that we do not.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect, until?: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...listMigrations(dialect) }) },
  });
  const { error } = until === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(until);
  if (error === undefined) return;
  if (error instanceof Error && error.message.startsWith("corrupted migrations")) {
    throw new StoreFailure("newer", `The database was written by a newer version of Taskfleet (${error.message}).`);
  }
  throw mapStoreError(error);
}
