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
  const step = async (): Promise<StoreFailure | null> => {
    const { error } = until === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(until);
    if (error === undefined) return null;
    if (error instanceof Error && error.message.startsWith("corrupted migrations"))
      return new StoreFailure("newer", `The database was written by a newer version of Taskfleet (${error.message}).`);
    return mapStoreError(error);
  };
  let failure = await step();
  // SQLite has no lock for it: when two processes begin at once, the slower one finds done what it was about to do.
  for (const _ of Object.keys(listMigrations(dialect))) if (failure?.kind === "exists") failure = await step();
  if (failure !== null) throw failure;
}
