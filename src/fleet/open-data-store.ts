import { mkdir } from "node:fs/promises";
import path from "node:path";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/port.ts";
import type { ServeSettings } from "./serve-settings.ts";

/** The store the settings name: PostgreSQL, or one SQLite file in the data directory. */
export async function openDataStore(settings: Pick<ServeSettings, "databaseUrl" | "dataDir">): Promise<Store> {
  if (settings.databaseUrl !== undefined) return openStore({ url: settings.databaseUrl });
  await mkdir(settings.dataDir, { recursive: true });
  return openStore({ file: path.join(settings.dataDir, "taskfleet.sqlite"), processes: "one" });
}
