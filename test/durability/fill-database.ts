/**
 * Loaded into the App's process before its program: SIGUSR2 leaves its SQLite files no room for one more page, as
 * a disk that is full does, and SIGHUP gives the room back. (The limit belongs to a connection, so nobody else
 * can set it: sqlite.org/pragma.html#pragma_max_page_count.)
 */
import { DatabaseSync } from "node:sqlite";

const open = new Set<DatabaseSync>();
const prepare = Reflect.get(DatabaseSync.prototype, "prepare");

DatabaseSync.prototype.prepare = function (sql) {
  open.add(this);
  return prepare.call(this, sql);
};

function limit(pages: (used: number) => number): void {
  for (const database of open) {
    if (!database.isOpen) continue;
    const used = Number(Object.values(prepare.call(database, "pragma page_count").get() ?? {})[0]);
    database.exec(`pragma max_page_count = ${pages(used)}`);
  }
}

process.on("SIGUSR2", () => limit((used) => used));
process.on("SIGHUP", () => limit(() => 4_294_967_294));
