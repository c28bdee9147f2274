/** What was spent per slot of a sliding window; a slot is a sixtieth of the period. */
export interface Spent {
  /** [slot number since the epoch, cost], ascending. */
  readonly slots: ReadonlyArray<readonly [slot: number, cost: number]>;
}

export interface Window {
  readonly limit: number;
  readonly periodMs: number;
}

const slotsPerPeriod = 60;

/**
 * Books a cost at the earliest moment from `now` on at which no stretch of one period holds more
 * than the limit. A window that slides: with a fixed one, twice the limit could pass around its edge.
 *
 * @returns what is spent then, and the time from which the spender may go on (`now` = at once).
 * A cost above the limit is booked as the limit, since it could never fit.
 */
export function bookCost(spent: Spent, window: Window, cost: number, now: number): { spent: Spent; at: number } {
  const width = Math.max(1, window.periodMs / slotsPerPeriod);
  const first = Math.floor(now / width);
  const booked = new Map(spent.slots.filter(([slot]) => slot >= first - slotsPerPeriod));
  const wanted = Math.min(cost, window.limit);
  let slot = first;
  while (!fits(booked, window.limit, wanted, slot)) slot += 1;
  booked.set(slot, (booked.get(slot) ?? 0) + wanted);
  const slots = [...booked].sort(([a], [b]) => a - b);
  return { spent: { slots }, at: slot === first ? now : Math.ceil(slot * width) };
}

/** Every stretch of a period that holds the slot must have room for the cost: earlier bookings may lie after it. */
function fits(booked: ReadonlyMap<number, number>, limit: number, cost: number, slot: number): boolean {
  for (let end = slot; end <= slot + slotsPerPeriod; end += 1) {
    let sum = cost;
    for (const [other, amount] of booked) if (other >= end - slotsPerPeriod && other <= end) sum += amount;
    if (sum > limit) return false;
  }
  return true;
}
