import { createBudget } from "./budget.ts";
import { openDatabase } from "./database.ts";
import { createDocuments } from "./documents.ts";
import { createDueQueue } from "./due-queue.ts";
import { createFacts } from "./facts.ts";
import { createInbox } from "./inbox.ts";
import type { Store } from "./port.ts";
import { createRuns } from "./runs.ts";
import { createSettings } from "./settings.ts";
import { StoreFailure } from "./store-failure.ts";

export interface StoreOptions {
  /** A PostgreSQL address (`postgres://…`); several instances may share it. */
  readonly url?: string;
  /** An SQLite file, made when absent; `:memory:` for tests. Ignored when `url` is given. */
  readonly file?: string;
  /** How long a change waits for another process that is in its way, in ms. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** SQLite: the most pages of 4 KiB the file may have. */
  readonly maxPages?: number;
}

/**
 * Opens the store and brings its schema up to date.
 *
 * @throws StoreFailure, here and from every method, with a sentence for the operator.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url, file, ...rest } = options;
  if (url === undefined && file === undefined) {
    throw new StoreFailure("unavailable", "Give the store a PostgreSQL address or a file.");
  }
  const database = await openDatabase(url === undefined ? { ...rest, file: file ?? ":memory:" } : { ...rest, url });
  const inbox = createInbox(database);
  return {
    ...inbox.methods,
    ...createDueQueue(database),
    ...createRuns(database),
    ...createFacts(database),
    ...createDocuments(database),
    ...createBudget(database),
    ...createSettings(database),
    async close() {
      await inbox.idle();
      await database.close();
    },
  };
}
