/**
 * The ledger as plain data. Functions return a new ledger and leave the given one alone.
 *
 * @typedef {{ date: string, amount: number, memo: string }} Entry
 * @typedef {{ entries: readonly Entry[] }} Ledger
 */

/** @returns {Ledger} */
export function createLedger() {
  return { entries: [] };
}

/**
 * Adds an entry and keeps the entries in the order of their dates.
 *
 * @param {Ledger} ledger
 * @param {Entry} entry
 * @returns {Ledger}
 */
export function addEntry(ledger, { date, amount, memo }) {
  if (!isDate(date)) throw new RangeError(`not a date: ${date}`);
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole cents: ${amount}`);
  if (memo.trim() === "") throw new RangeError("a memo is needed");
  const entry = { date, amount, memo: memo.trim() };
  return { ...ledger, entries: [...ledger.entries, entry].sort(byDate) };
}

/**
 * @param {Ledger} ledger
 * @returns {number} whole cents
 */
export function balance(ledger) {
  return ledger.entries.reduce((sum, entry) => sum + entry.amount, 0);
}

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. */
export function isDate(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function byDate(left, right) {
  return left.date < right.date ? -1 : left.date > right.date ? 1 : 0;
}
