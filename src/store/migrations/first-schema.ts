import { type Kysely, type Migration, sql } from "kysely";
import type { Dialect } from "../schema.ts";

/**
 * The first schema. SQLite runs migrations without a transaction around them, so every step can be
 * repeated after a crash.
 */
export function firstSchema(dialect: Dialect): Migration {
  const bytes = dialect === "sqlite" ? "blob" : "bytea";
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const create = (table: string) => db.schema.createTable(table).ifNotExists();
      const numbered = (table: string) =>
        dialect === "sqlite"
          ? create(table).addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
          : create(table).addColumn("seq", "bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity());

      await numbered("inbox")
        .addColumn("guid", "text", (column) => column.notNull().unique())
        .addColumn("event", "text", (column) => column.notNull())
        .addColumn("payload", "text")
        .addColumn("received_at", "bigint", (column) => column.notNull())
        .addColumn("done_at", "bigint")
        .execute();
      await index(db, "inbox_waiting", "inbox", ["seq"], "done_at is null");
      await index(db, "inbox_received", "inbox", ["received_at"]);

      await create("runs")
        .addColumn("repository_id", "bigint", (column) => column.notNull())
        .addColumn("run_key", "text", (column) => column.notNull())
        .addColumn("installation_id", "bigint", (column) => column.notNull())
        .addColumn("owner", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("issue", "bigint", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("runs_key", ["repository_id", "run_key"])
        .execute();
      await index(db, "runs_issue", "runs", ["repository_id", "issue"]);
      await index(db, "runs_open", "runs", ["created_at"], "status = 'open'");

      await create("run_numbers")
        .addColumn("repository_id", "bigint", (column) => column.notNull())
        .addColumn("day", "text", (column) => column.notNull())
        .addColumn("last", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("run_numbers_key", ["repository_id", "day"])
        .execute();

      await create("facts")
        .addColumn("repository_id", "bigint", (column) => column.notNull())
        .addColumn("run_key", "text", (column) => column.notNull())
        .addColumn("seq", "bigint", (column) => column.notNull())
        .addColumn("fact_key", "text", (column) => column.notNull())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("fact", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("facts_position", ["repository_id", "run_key", "seq"])
        .addUniqueConstraint("facts_once", ["repository_id", "run_key", "fact_key"])
        .execute();

      await create("snapshots")
        .addColumn("repository_id", "bigint", (column) => column.notNull())
        .addColumn("run_key", "text", (column) => column.notNull())
        .addColumn("seq", "bigint", (column) => column.notNull())
        .addColumn("state", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("snapshots_key", ["repository_id", "run_key"])
        .execute();

      await create("due")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("due_at", "bigint")
        .addColumn("ready_at", "bigint", (column) => column.notNull())
        .addColumn("token", "text")
        .execute();
      await index(db, "due_ready", "due", ["ready_at"]);

      await numbered("due_hints")
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("hint", "text", (column) => column.notNull())
        .addColumn("token", "text")
        .execute();
      await index(db, "due_hints_key", "due_hints", ["key"]);

      await create("documents")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("content", sql.raw(bytes), (column) => column.notNull())
        .execute();
      await create("settings")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("value", "text", (column) => column.notNull())
        .execute();
      await create("budget")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("spent", "text", (column) => column.notNull())
        .execute();
    },
  };
}

async function index(
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: readonly string[],
  where?: string,
): Promise<void> {
  const statement = db.schema
    .createIndex(name)
    .ifNotExists()
    .on(table)
    .columns([...columns]);
  await (where === undefined ? statement : statement.where(sql.raw<boolean>(where))).execute();
}
