import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql, SqliteDialect, type Transaction } from "kysely";
import { migrate } from "./migrations/migrate.ts";
import { openPostgres } from "./postgres-pool.ts";
import type { Dialect, Tables } from "./schema.ts";
import { openSqlite, type SqliteOptions } from "./sqlite-database.ts";
import { isBrokenConnection, isTransactionClash, mapStoreError } from "./store-failure.ts";

/** A connection with the two ways to use it; both throw only StoreFailure. */
export interface Database {
  readonly dialect: Dialect;
  read<Result>(query: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * All or nothing, durable when it resolves; runs again when two transactions clashed or the
   * connection was gone before it began.
   */
  write<Result>(change: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export type DatabaseOptions = ({ readonly url: string } | SqliteOptions) & {
  /** How long a change waits for another process that is in its way. Default 5,000. */
  readonly busyTimeoutMs?: number;
};

/**
 * SQLite waits for another process's lock by sleeping, and the event loop sleeps with it: once the
 * database is open we wait ourselves.
 */
const sqliteSleepMs = 5;
const firstPauseMs = 2;
const longestPauseMs = 50;

/** Connects and brings the schema up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const dialect: Dialect = "url" in options ? "postgres" : "sqlite";
  const kysely = connect(options);
  try {
    await migrate(kysely, dialect);
    if (dialect === "sqlite") await sql.raw(`pragma busy_timeout = ${sqliteSleepMs}`).execute(kysely);
  } catch (error) {
    await kysely.destroy().catch(() => undefined);
    throw mapStoreError(error);
  }
  async function insist<Result>(work: () => Promise<Result>, mayRepeat: (error: unknown) => boolean): Promise<Result> {
    const deadline = performance.now() + (options.busyTimeoutMs ?? 5000);
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (!mayRepeat(error) || performance.now() > deadline) throw mapStoreError(error);
      }
      await sleep(pause);
    }
  }

  return {
    dialect,
    read: (query) => insist(() => query(kysely), isBrokenConnection),
    write<Result>(change: (transaction: Transaction<Tables>) => Promise<Result>) {
      // Once a change has begun, a connection that breaks leaves open whether it was kept.
      let begun = false;
      const work = (): Promise<Result> =>
        kysely.transaction().execute((transaction) => {
          begun = true;
          return change(transaction);
        });
      return insist(work, (error) => isTransactionClash(error) || (!begun && isBrokenConnection(error)));
    },
    close: () => kysely.destroy(),
  };
}

function connect(options: DatabaseOptions): Kysely<Tables> {
  try {
    const dialect =
      "url" in options
        ? new PostgresDialect({ pool: openPostgres(options.url) })
        : new SqliteDialect({ database: openSqlite(options) });
    return new Kysely<Tables>({ dialect });
  } catch (error) {
    throw mapStoreError(error);
  }
}
