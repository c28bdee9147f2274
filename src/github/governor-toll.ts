import type { Demand, Spend } from "./governor-terms.ts";

export interface TollOptions {
  readonly spend?: Spend | undefined;
  readonly cost: Demand["cost"];
  readonly installation: number | null;
}

export interface Toll {
  /** Pays for the next request, unless that is done already. @returns the time (ms) from which it may go. */
  allowedAt(now: number): Promise<number>;
  /** The request that was paid for goes now. */
  use(): void;
  /** From when the next request may go that is paid for already (ms); 0 when none is. */
  openAt(): number;
}

/**
 * GitHub's secondary limits per installation
 * (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits).
 * The periods are longer than GitHub's, since a request arrives later than it is booked.
 */
const windows = {
  points: { limit: 900, periodMs: 62_000 },
  contentPerMinute: { limit: 80, periodMs: 62_000 },
  contentPerHour: { limit: 500, periodMs: 3_620_000 },
} as const;

const points: Readonly<Record<Demand["cost"], number>> = { read: 1, write: 5, content: 5 };

/** Reads are many: their points are bought by the dozen, and what is left after this time is lost. */
const readsPerPurchase = 12;
const purchaseLifeMs = 5000;

/** Pays for the requests of one lane from the windows that all instances share. */
export function createToll(options: TollOptions): Toll {
  const { spend, cost } = options;
  const owner = options.installation ?? "app";
  let paid: { readonly at: number; readonly until: number; left: number } | null = null;

  async function pay(now: number): Promise<number> {
    if (spend === undefined) return now;
    const amount = points[cost] * (cost === "read" ? readsPerPurchase : 1);
    const times = [await spend({ key: `points:${owner}`, ...windows.points }, amount, now)];
    if (cost === "content") {
      times.push(await spend({ key: `content-minute:${owner}`, ...windows.contentPerMinute }, 1, now));
      times.push(await spend({ key: `content-hour:${owner}`, ...windows.contentPerHour }, 1, now));
    }
    return Math.max(...times);
  }

  return {
    async allowedAt(now) {
      if (paid === null || paid.left === 0 || paid.until < now) {
        const at = await pay(now);
        paid = { at, until: Math.max(at, now) + purchaseLifeMs, left: cost === "read" ? readsPerPurchase : 1 };
      }
      return paid.at;
    },
    use() {
      if (paid !== null) paid.left -= 1;
    },
    openAt: () => (paid === null || paid.left === 0 ? 0 : paid.at),
  };
}
