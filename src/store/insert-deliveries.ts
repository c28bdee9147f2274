import { CompiledQuery, type Transaction } from "kysely";
import type { Delivery } from "./port.ts";
import type { Dialect, Tables } from "./schema.ts";

/** Rows per statement: few texts, so that the database has each of them prepared. */
const SIZES = [64, 16, 4, 1] as const;
const COLUMNS = 5;

export interface InboxRow extends Pick<Delivery, "guid" | "event" | "receivedAt"> {
  readonly payload: string | null;
  readonly doneAt: number | null;
}

/**
 * Inserts rows whose GUID is new. This is where every delivery passes, and building the same statement anew
 * for each group cost as much as verifying signatures: its text is written once.
 *
 * @returns the GUIDs that were new.
 */
export async function insertDeliveries(
  db: Transaction<Tables>,
  dialect: Dialect,
  rows: readonly InboxRow[],
): Promise<Set<string>> {
  const fresh = new Set<string>();
  for (let start = 0; start < rows.length;) {
    const size = SIZES.find((entry) => entry <= rows.length - start) ?? 1;
    const values = rows
      .slice(start, start + size)
      .flatMap((row) => [row.guid, row.event, row.payload, row.receivedAt, row.doneAt]);
    const { rows: inserted } = await db.executeQuery<{ guid: string }>(
      CompiledQuery.raw(writeStatement(dialect, size), values),
    );
    for (const { guid } of inserted) fresh.add(guid);
    start += size;
  }
  return fresh;
}

const texts = new Map<string, string>();

function writeStatement(dialect: Dialect, size: number): string {
  const known = texts.get(`${dialect}${size}`);
  if (known !== undefined) return known;
  const place = (n: number): string => (dialect === "postgres" ? `$${n + 1}` : "?");
  const rows = Array.from(
    { length: size },
    (_, row) => `(${Array.from({ length: COLUMNS }, (_each, column) => place(row * COLUMNS + column)).join(", ")})`,
  );
  const text = `insert into "inbox" ("guid", "event", "payload", "received_at", "done_at") values ${rows.join(", ")} on conflict ("guid") do nothing returning "guid"`;
  texts.set(`${dialect}${size}`, text);
  return text;
}
