/** Amounts are whole cents, so that sums are exact. */

/**
 * Reads an amount as people type it: `12`, `12.5`, `-12.50`.
 *
 * @param {string} text
 * @returns {number} whole cents
 */
export function parseAmount(text) {
  const match = /^([+-]?)(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (match === null) throw new RangeError(`not an amount: ${text}`);
  const [, sign, units, decimals = ""] = match;
  const cents = Number(units) * 100 + Number(decimals.padEnd(2, "0"));
  return sign === "-" ? 0 - cents : cents;
}

/**
 * @param {number} cents
 * @returns {string} with two decimals, e.g. `-38.50`
 */
export function formatAmount(cents) {
  const sign = cents < 0 ? "-" : "";
  const size = Math.abs(cents);
  return `${sign}${Math.trunc(size / 100)}.${String(size % 100).padStart(2, "0")}`;
}
