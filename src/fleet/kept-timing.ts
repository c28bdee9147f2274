/** How long the App takes GitHub's reads to lag, kept in its database: whoever asks about a run later goes by it. */
import type { Timing } from "../engine/decide.ts";
import type { Store } from "../store/port.ts";
import { DEFAULT_STALE_READ_MS } from "./serve-settings.ts";

const SETTING = "stale-read-ms";

export async function putTiming(store: Pick<Store, "putSetting">, { staleReadMs }: Timing): Promise<void> {
  await store.putSetting(SETTING, String(staleReadMs));
}

/** The default for a database that no App has kept it in yet. */
export async function loadTiming(store: Pick<Store, "loadSetting">): Promise<Timing> {
  const kept = await store.loadSetting(SETTING);
  return { staleReadMs: kept === null ? DEFAULT_STALE_READ_MS : Number(kept) };
}
