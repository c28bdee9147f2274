import { mkdir } from "node:fs/promises";
import path from "node:path";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/port.ts";
import { StoreFailure } from "../store/store-failure.ts";
import type { ServeSettings } from "./serve-settings.ts";

/**
 * The store the settings name: PostgreSQL, or one SQLite file in the data directory.
 * @throws StoreFailure
 * @param onDamage is told when the database turns out to be damaged while it is used.
 */
export async function openDataStore(
  settings: Pick<ServeSettings, "databaseUrl" | "dataDir">,
  onDamage?: (failure: StoreFailure) => void,
): Promise<Store> {
  const told = onDamage === undefined ? {} : { onDamage };
  if (settings.databaseUrl !== undefined) return openStore({ url: settings.databaseUrl, ...told });
  await mkdir(settings.dataDir, { recursive: true }).catch((error: unknown) => {
    const said = error instanceof Error ? error.message : String(error);
    throw new StoreFailure("unavailable", `TASKFLEET_DATA_DIR: the folder cannot be made (${said}).`, { cause: error });
  });
  return openStore({ file: path.join(settings.dataDir, "taskfleet.sqlite"), processes: "one", ...told });
}
