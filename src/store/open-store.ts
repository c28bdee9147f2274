import { createBudget } from "./budget.ts";
import { type Database, openDatabase } from "./database.ts";
import { createDocuments } from "./documents.ts";
import { type Claim, claimFile } from "./claim-file.ts";
import { createDueQueue, endAllLeases } from "./due-queue.ts";
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
  /**
   * SQLite: with `one` the file is this process's alone as long as it runs, so leases of a process that was
   * killed end when the next one starts. Default `many`: leases end by their time.
   */
  readonly processes?: "one" | "many";
  /** How long a change waits for another process that is in its way, in ms. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** SQLite: the most pages of 4 KiB the file may have. */
  readonly maxPages?: number;
  /** Told of every failure that shows damage (kind `corrupt`) after the store was opened. */
  readonly onDamage?: (failure: StoreFailure) => void;
}

/**
 * Opens the store and brings its schema up to date.
 *
 * @throws StoreFailure, here and from every method, with a sentence for the operator.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url, file, processes, ...rest } = options;
  if (url === undefined && file === undefined) {
    throw new StoreFailure("unavailable", "Give the store a PostgreSQL address or a file.");
  }
  const claim = processes === "one" && url === undefined && file !== undefined ? claimFile(file) : null;
  const database = await openClaimed(
    url === undefined ? { ...rest, file: file ?? ":memory:" } : { ...rest, url },
    claim,
  );
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
      claim?.release();
    },
  };
}

async function openClaimed(options: Parameters<typeof openDatabase>[0], claim: Claim | null): Promise<Database> {
  try {
    const database = await openDatabase(options);
    if (claim !== null) await endAllLeases(database);
    return database;
  } catch (error) {
    claim?.release();
    throw error;
  }
}
