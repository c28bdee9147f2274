import { stat } from "node:fs/promises";
import path from "node:path";
import { openDatabase } from "./database.ts";
import { createFacts } from "./facts.ts";
import type { Store } from "./port.ts";
import { createRuns } from "./runs.ts";
import { createSettings } from "./settings.ts";
import { StoreFailure } from "./store-failure.ts";

/** What can be asked of a store without changing it. */
export type ReadingStore = Pick<Store, "loadRun" | "loadRuns" | "loadOpenRuns" | "loadFacts" | "loadSetting" | "close">;

/**
 * Opens a store to look at it, beside a running App or without one: nothing is created, migrated or written, least
 * of all in a database that is not ours.
 *
 * @throws StoreFailure that names the place, without a password: kind `foreign` for a database without our tables,
 *   `older` and `newer` for those of another version.
 */
export async function openStoreForReading(
  options: { readonly url: string } | { readonly file: string },
): Promise<ReadingStore> {
  const place = formatPlace(options);
  try {
    if ("file" in options) await requireFile(options.file);
    const database = await openDatabase({ ...options, use: "reading" });
    const { loadRun, loadRuns, loadOpenRuns } = createRuns(database);
    const { loadFacts } = createFacts(database);
    const { loadSetting } = createSettings(database);
    return { loadRun, loadRuns, loadOpenRuns, loadFacts, loadSetting, close: () => database.close() };
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    throw new StoreFailure(error.kind, `${place}: ${error.message}`, { cause: error });
  }
}

async function requireFile(file: string): Promise<void> {
  try {
    await stat(file);
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown error";
    const absent = code === "ENOENT" || code === "ENOTDIR";
    throw new StoreFailure(
      "unavailable",
      absent ? "There is no such database." : `The database's file cannot be looked at (${code}).`,
      { cause: error },
    );
  }
}

/** Where a database is, for people: without the account, the password and whatever else an address may hold. */
function formatPlace(options: { readonly url: string } | { readonly file: string }): string {
  if ("file" in options) return path.resolve(options.file);
  if (!URL.canParse(options.url)) return "The database";
  const { protocol, host, pathname } = new URL(options.url);
  return `${protocol}//${host}${pathname}`;
}
