import type { SelectQueryBuilder } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/**
 * Holds the selected rows until the transaction ends, for use with `$call`. SQLite has no row
 * locks and needs none: a transaction there holds the whole file.
 */
export function lockingRow(database: Database) {
  return <Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ): SelectQueryBuilder<Tables, Table, Row> => (database.dialect === "postgres" ? query.forUpdate() : query);
}
