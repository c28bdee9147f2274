/** GitHub does not redeliver by itself: deliveries that failed while we were away are asked for again. */
import { GitHubFailure } from "../../contracts/errors.ts";
import type { Fleet } from "../context.ts";
import {
  type DueRedelivery,
  foldFailures,
  listDueRedeliveries,
  noteAsked,
  noteGivenUp,
  parseRedeliveryLedger,
  REDELIVERY_WINDOW_MS,
} from "../operate/redelivery-ledger.ts";

const CHECKED = "deliveries-checked-at";
const LEDGER = "redelivery-ledger";
/** Deliveries younger than this may still have been under way when it was looked last. */
const OVERLAP_MS = 60_000;

/**
 * One that fails again is asked for with growing pauses, and given up in the end with a line in the log: what
 * never arrives is seen late, by looking, and nothing else is lost.
 *
 * @returns how many were asked for.
 */
export async function redeliverFailed(fleet: Fleet): Promise<number> {
  const { store, github, clock, log } = fleet;
  const now = clock.now();
  const stored = Number((await store.loadSetting(CHECKED)) ?? Number.NaN);
  const since = Math.max(now - REDELIVERY_WINDOW_MS, Number.isFinite(stored) ? stored - OVERLAP_MS : 0);
  const failed = await github.loadFailedDeliveries(since);
  let ledger = foldFailures(parseRedeliveryLedger(await store.loadSetting(LEDGER)), failed, now);
  let asked = 0;
  try {
    for (const delivery of listDueRedeliveries(ledger, now)) {
      if (delivery.verdict === "ask" && (await ask(fleet, delivery))) {
        ledger = noteAsked(ledger, delivery.guid, clock.now());
        asked += 1;
        continue;
      }
      const { guid, event, tries } = delivery;
      ledger = noteGivenUp(ledger, guid);
      fleet.meter?.redeliveryGivenUp();
      log.error(
        { delivery: guid, event, tries },
        "a delivery has failed for good and is not asked for again: see the App's settings, Advanced, Recent Deliveries",
      );
    }
  } finally {
    // Also when GitHub refuses to go on: what was asked for is not asked for twice.
    await store.putSetting(LEDGER, JSON.stringify(ledger));
    await store.putSetting(CHECKED, `${now}`);
  }
  return asked;
}

/** @returns false when GitHub has it no longer. @throws GitHubFailure when asking cannot go on now. */
async function ask(fleet: Fleet, { guid, id, event, tries }: DueRedelivery): Promise<boolean> {
  fleet.log.info({ delivery: guid, event, tries }, "asking for a failed delivery again");
  try {
    await fleet.github.redeliver(id);
    return true;
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind === "transient" || error.kind === "dormant") throw error;
    return false;
  }
}
