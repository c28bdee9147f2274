import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql, SqliteDialect, type Transaction } from "kysely";
import { migrate } from "./migrations/migrate.ts";
import { verifySchema } from "./migrations/verify-schema.ts";
import { openPostgres } from "./postgres-pool.ts";
import type { Dialect, Tables } from "./schema.ts";
import { openSqlite, type SqliteOptions } from "./sqlite-database.ts";
import { isBrokenConnection, isTransactionClash, mapStoreError, type StoreFailure } from "./store-failure.ts";

/** A connection with the two ways to use it; both throw only StoreFailure. */
export interface Database {
  readonly dialect: Dialect;
  read<Result>(query: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * All or nothing, durable when it resolves; runs again when two transactions clashed or the
   * connection was gone before it began.
   */
  write<Result>(change: Change<Result>): Promise<Result>;
  /**
   * The same for what may be forgotten when the power fails (and never when only the process dies): it waits
   * for no disk. Changes are forgotten from the last one backwards, and none before one that was durable.
   */
  writeSoon<Result>(change: Change<Result>): Promise<Result>;
  close(): Promise<void>;
}

export type Change<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

export type DatabaseOptions = ({ readonly url: string } | SqliteOptions) & {
  /** How long a change waits for another process that is in its way. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** `reading` makes, migrates and writes nothing. Default `working`. */
  readonly use?: "working" | "reading";
  /** Told of every failure of kind `corrupt`. */
  readonly onDamage?: (failure: StoreFailure) => void;
};

/**
 * SQLite waits for another process's lock by sleeping, and the event loop sleeps with it: once the
 * database is open we wait ourselves.
 */
const sqliteSleepMs = 5;
const firstPauseMs = 2;
const longestPauseMs = 50;

/** Connects and brings the schema up to date, or only looks whether it is. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const dialect: Dialect = "url" in options ? "postgres" : "sqlite";
  const kysely = connect(options);
  try {
    if (options.use === "reading") await verifySchema(kysely, dialect);
    else await migrate(kysely, dialect);
    if (dialect === "sqlite") await sql.raw(`pragma busy_timeout = ${sqliteSleepMs}`).execute(kysely);
  } catch (error) {
    await kysely.destroy().catch(() => undefined);
    throw mapStoreError(error);
  }
  const transact = dialect === "sqlite" ? createSqliteTransact(kysely) : createPostgresTransact(kysely);

  function tell(failure: StoreFailure): StoreFailure {
    if (failure.kind === "corrupt") options.onDamage?.(failure);
    return failure;
  }

  async function insist<Result>(work: () => Promise<Result>, mayRepeat: (error: unknown) => boolean): Promise<Result> {
    const deadline = performance.now() + (options.busyTimeoutMs ?? 5000);
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (!mayRepeat(error) || performance.now() > deadline) throw tell(mapStoreError(error));
      }
      await sleep(pause);
    }
  }

  function write<Result>(change: Change<Result>, when: "durable" | "soon"): Promise<Result> {
    // Once a change has begun, a connection that breaks leaves open whether it was kept.
    let begun = false;
    const work = (): Promise<Result> =>
      transact(when, (transaction) => {
        begun = true;
        return change(transaction);
      });
    return insist(work, (error) => isTransactionClash(error) || (!begun && isBrokenConnection(error)));
  }

  return {
    dialect,
    read: (query) => insist(() => query(kysely), isBrokenConnection),
    write: (change) => write(change, "durable"),
    writeSoon: (change) => write(change, "soon"),
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

type Transact = <Result>(when: "durable" | "soon", change: Change<Result>) => Promise<Result>;

/**
 * SQLite has its caution per connection, and it cannot be changed within a transaction: the changes of this
 * connection come one after the other. In WAL mode `normal` leaves out waiting for the disk at a commit; the
 * next `full` commit takes along all before it (sqlite.org/pragma.html#pragma_synchronous).
 */
function createSqliteTransact(kysely: Kysely<Tables>): Transact {
  let last: Promise<unknown> = Promise.resolve();
  let caution: "durable" | "soon" = "durable";
  return (when, change) => {
    const done = last.then(async () => {
      if (when !== caution) {
        await sql.raw(`pragma synchronous = ${when === "durable" ? "full" : "normal"}`).execute(kysely);
        caution = when;
      }
      return kysely.transaction().execute(change);
    });
    last = done.catch(() => undefined);
    return done;
  };
}

function createPostgresTransact(kysely: Kysely<Tables>): Transact {
  return (when, change) =>
    kysely.transaction().execute(async (transaction) => {
      if (when === "soon") await sql`set local synchronous_commit = off`.execute(transaction);
      return change(transaction);
    });
}
