/** GitHub does not redeliver by itself: deliveries that failed while we were away are asked for again. */
import type { Fleet } from "./context.ts";

const SETTING = "deliveries-checked-at";
/** GitHub redelivers within three days. */
const WINDOW_MS = 3 * 24 * 60 * 60_000;
/** Deliveries younger than this may still be under way. */
const OVERLAP_MS = 60_000;

/** @returns how many were asked for. */
export async function redeliverFailed(fleet: Fleet): Promise<number> {
  const now = fleet.clock.now();
  const stored = Number((await fleet.store.loadSetting(SETTING)) ?? Number.NaN);
  const since = Math.max(now - WINDOW_MS, Number.isFinite(stored) ? stored - OVERLAP_MS : now - WINDOW_MS);
  const failed = await fleet.github.loadFailedDeliveries(since);
  for (const delivery of [...failed].reverse()) {
    fleet.log.info({ delivery: delivery.guid, event: delivery.event }, "asking for a failed delivery again");
    await fleet.github.redeliver(delivery.id);
  }
  await fleet.store.putSetting(SETTING, `${now}`);
  return failed.length;
}
