/** What is known of deliveries that failed: how often each was asked for again, and when it may be once more. */
import type { FailedDelivery } from "../../github/port.ts";

/** GitHub redelivers within three days. https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
export const REDELIVERY_WINDOW_MS = 3 * 24 * 60 * 60_000;

/** With the pauses between them ten tries take two days and a half. */
const MOST_TRIES = 10;
const FIRST_PAUSE_MS = 5 * 60_000;
const LAST_PAUSE_MS = 24 * 60 * 60_000;
/** How long an answer to what was asked for may take to be listed; what is not listed as failed by then has arrived. */
const ANSWERED_AFTER_MS = 2 * 60_000;

interface LedgerEntry {
  /** Of the newest attempt that is known to have failed. */
  readonly id: string;
  readonly event: string;
  readonly firstFailedAt: number;
  readonly tries: number;
  /** When it was asked for last; 0 = never. */
  readonly askedAt: number;
  readonly standing: "failed" | "asked" | "given up";
}

/** By GUID, which all attempts of a delivery share. */
export type RedeliveryLedger = Readonly<Record<string, LedgerEntry>>;

/** @returns an empty ledger for anything that is none: the worst that comes of it is a few more tries. */
export function parseRedeliveryLedger(text: string | null): RedeliveryLedger {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter((pair): pair is [string, LedgerEntry] => isEntry(pair[1])));
  } catch {
    return {};
  }
}

function isEntry(value: unknown): value is LedgerEntry {
  if (typeof value !== "object" || value === null) return false;
  const { id, event, firstFailedAt, tries, askedAt, standing } = value as Readonly<Record<string, unknown>>;
  return (
    typeof id === "string" &&
    typeof event === "string" &&
    [firstFailedAt, tries, askedAt].every((number) => typeof number === "number") &&
    (standing === "failed" || standing === "asked" || standing === "given up")
  );
}

/** Takes note of the deliveries whose newest attempt failed, and forgets those that have arrived or are too old. */
export function foldFailures(
  ledger: RedeliveryLedger,
  failed: readonly FailedDelivery[],
  now: number,
): RedeliveryLedger {
  const next: Record<string, LedgerEntry> = {};
  for (const [guid, entry] of Object.entries(ledger)) {
    const arrived = entry.standing === "asked" && now - entry.askedAt >= ANSWERED_AFTER_MS;
    if (now - entry.firstFailedAt < REDELIVERY_WINDOW_MS && !(arrived && !hasFailedAgain(entry, guid, failed)))
      next[guid] = entry;
  }
  for (const { guid, id, event, deliveredAt } of failed) {
    const known = next[guid];
    if (known === undefined)
      next[guid] = { id, event, firstFailedAt: deliveredAt, tries: 0, askedAt: 0, standing: "failed" };
    // The attempt that is known already may be listed once more.
    else if (known.id !== id && known.standing !== "given up") next[guid] = { ...known, id, standing: "failed" };
  }
  return next;
}

function hasFailedAgain(entry: LedgerEntry, guid: string, failed: readonly FailedDelivery[]): boolean {
  return failed.some((delivery) => delivery.guid === guid && delivery.id !== entry.id);
}

export interface DueRedelivery {
  readonly guid: string;
  readonly id: string;
  readonly event: string;
  /** - ask: once more; - give up: it was asked for as often as it makes sense. */
  readonly verdict: "ask" | "give up";
  /** How often it was asked for before. */
  readonly tries: number;
}

/** What has to be done now, those that failed first at the front. */
export function listDueRedeliveries(ledger: RedeliveryLedger, now: number): readonly DueRedelivery[] {
  return Object.entries(ledger)
    .filter(([, entry]) => entry.standing === "failed" && now >= deriveRetryAt(entry))
    .toSorted(([, a], [, b]) => a.firstFailedAt - b.firstFailedAt)
    .map(([guid, { id, event, tries }]) => ({
      guid,
      id,
      event,
      tries,
      verdict: tries >= MOST_TRIES ? "give up" : "ask",
    }));
}

/** At once the first time, then after pauses that double. */
function deriveRetryAt({ tries, askedAt }: LedgerEntry): number {
  // Whoever would only be given up need not wait for it.
  if (tries === 0 || tries >= MOST_TRIES) return 0;
  return askedAt + Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
}

export function noteAsked(ledger: RedeliveryLedger, guid: string, now: number): RedeliveryLedger {
  const entry = ledger[guid];
  if (entry === undefined) return ledger;
  return { ...ledger, [guid]: { ...entry, tries: entry.tries + 1, askedAt: now, standing: "asked" } };
}

/** GitHub could not do it: it is asked again after the pause of a try. What it did all the same is known by its GUID. */
export function notePutOff(ledger: RedeliveryLedger, guid: string, now: number): RedeliveryLedger {
  const entry = ledger[guid];
  if (entry === undefined) return ledger;
  return { ...ledger, [guid]: { ...entry, tries: entry.tries + 1, askedAt: now } };
}

/** It is remembered until GitHub would not redeliver it either, so that it does not begin anew. */
export function noteGivenUp(ledger: RedeliveryLedger, guid: string): RedeliveryLedger {
  const entry = ledger[guid];
  return entry === undefined ? ledger : { ...ledger, [guid]: { ...entry, standing: "given up" } };
}
