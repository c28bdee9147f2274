import { mkdir } from "node:fs/promises";
import path from "node:path";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/port.ts";
import type { StoreFailure } from "../store/store-failure.ts";
import type { ServeSettings } from "./serve-settings.ts";

/**
 * The store the settings name: PostgreSQL, or one SQLite file in the data directory.
 * @param onDamage is told when the database turns out to be damaged while it is used.
 */
export async function openDataStore(
  settings: Pick<ServeSettings, "databaseUrl" | "dataDir">,
  onDamage?: (failure: StoreFailure) => void,
): Promise<Store> {
  const told = onDamage === undefined ? {} : { onDamage };
  if (settings.databaseUrl !== undefined) return openStore({ url: settings.databaseUrl, ...told });
  await mkdir(settings.dataDir, { recursive: true });
  return openStore({ file: path.join(settings.dataDir, "taskfleet.sqlite"), processes: "one", ...told });
}
