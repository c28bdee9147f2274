/** GitHub does not redeliver by itself: deliveries that failed while we were away are asked for again. */
import { GitHubFailure } from "../../contracts/errors.ts";
import type { Fleet } from "../context.ts";
import {
  type DueRedelivery,
  foldFailures,
  listDueRedeliveries,
  noteAsked,
  noteGivenUp,
  notePutOff,
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
      const { guid, event, tries } = delivery;
      const answer = delivery.verdict === "ask" ? await ask(fleet, delivery) : "gone";
      if (answer === "asked") {
        ledger = noteAsked(ledger, guid, clock.now());
        asked += 1;
        continue;
      }
      if (answer instanceof GitHubFailure) {
        // Noted before anything else, or it would be first at every look and keep the others from their turn.
        ledger = notePutOff(ledger, guid, clock.now());
        if (answer.details.status === undefined) throw answer;
        log.warn({ delivery: guid, event, ...answer.details }, `a delivery could not be asked for: ${answer.message}`);
        continue;
      }
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

/**
 * @returns gone: GitHub has it no longer; a failure: GitHub could not do this one now.
 * @throws GitHubFailure when nothing more may be asked now.
 */
async function ask(fleet: Fleet, { guid, id, event, tries }: DueRedelivery): Promise<"asked" | "gone" | GitHubFailure> {
  fleet.log.info({ delivery: guid, event, tries }, "asking for a failed delivery again");
  try {
    await fleet.github.redeliver(id);
    return "asked";
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.kind === "dormant") throw error;
    if (error.kind !== "transient") return "gone";
    if (error.details.retryAfterMs !== undefined) throw error;
    return error;
  }
}
