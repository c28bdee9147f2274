import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mapStoreError, StoreFailure } from "./store-failure.ts";
import { openPostgres } from "./postgres-pool.ts";

/**
 * Looks whether a store could be opened, without opening or changing it: the App may be running on it.
 * @returns what was found, for a person.
 * @throws StoreFailure
 */
export async function probeStore(options: { readonly url?: string; readonly file?: string }): Promise<string> {
  if (options.url !== undefined) return await probePostgres(options.url);
  if (options.file === undefined)
    throw new StoreFailure("unavailable", "Give the store a PostgreSQL address or a file.");
  return probeFile(options.file);
}

async function probePostgres(url: string): Promise<string> {
  const pool = openPostgres(url);
  try {
    const { rows } = await pool.query<{ version: string }>("select current_setting('server_version') as version");
    return `PostgreSQL ${rows[0]?.version ?? ""} answers`;
  } catch (error) {
    throw mapStoreError(error);
  } finally {
    await pool.end();
  }
}

function probeFile(file: string): string {
  if (!existsSync(file)) {
    const folder = findExisting(path.dirname(path.resolve(file)));
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw new StoreFailure("unavailable", `${folder} cannot be written to.`, { cause: error });
    }
    return `${file} will be created`;
  }
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const answer = database.prepare("pragma quick_check(1)").get();
      const said = String(Object.values(answer ?? {})[0]);
      if (said !== "ok") throw new StoreFailure("corrupt", `${file} is damaged: ${said}`);
    } finally {
      database.close();
    }
  } catch (error) {
    throw mapStoreError(error);
  }
  return `${file} is sound`;
}

function findExisting(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : findExisting(path.dirname(folder));
}
