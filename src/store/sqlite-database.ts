import { closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";

export interface SqliteOptions {
  /** `:memory:` for a database that ends with the process. */
  readonly file: string;
  /** `reading` makes no file and changes nothing in one. Default `working`. */
  readonly use?: "working" | "reading";
  /** A quota: the most pages (4 KiB) the file may have. */
  readonly maxPages?: number;
}

const statementsKept = 200;

const openTimeoutMs = 5000;

/**
 * `node:sqlite` in the shape Kysely's SqliteDialect expects (better-sqlite3's). What is committed
 * survives a power loss: WAL with synchronous=FULL (sqlite.org/pragma.html#pragma_synchronous).
 */
export function openSqlite(options: SqliteOptions): SqliteDatabase {
  const reading = options.use === "reading";
  if (!reading && options.file !== ":memory:") createPrivately(options.file);
  const database = new DatabaseSync(options.file, { timeout: openTimeoutMs });
  try {
    // A connection that may only read would leave files beside the database that it cannot clear away
    // (sqlite.org/wal.html#read_only_databases): this one may, and is told not to.
    database.exec(
      reading
        ? "pragma query_only = on"
        : "pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864",
    );
    if (options.maxPages !== undefined) {
      database.exec(`pragma max_page_count = ${Math.max(1, Math.trunc(options.maxPages))}`);
    }
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      // A transaction that reads first and writes later would fail when another process wrote in
      // between (SQLITE_BUSY_SNAPSHOT, not helped by waiting): take the write lock at the start.
      const plain = adapt(database.prepare(sql === "begin" ? "begin immediate" : sql));
      const statement = sql === "rollback" ? unlessRolledBack(database, plain) : plain;
      if (statements.size >= statementsKept) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

function adapt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

/**
 * SQLite undoes a transaction by itself when the disk is full or fails (sqlite.org/lang_transaction.html). To undo it
 * once more would be an error, which would be told in place of the one that matters.
 */
function unlessRolledBack(database: DatabaseSync, rollback: SqliteStatement): SqliteStatement {
  return {
    ...rollback,
    run: (parameters) => (database.isTransaction ? rollback.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  };
}

/** Payloads of private repositories are in it; SQLite gives its other files the mode of this one. */
function createPrivately(file: string): void {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
}
