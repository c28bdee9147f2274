/** Numbers, amounts of money and times, in words for people. */

/** `1 chunk`, `3 chunks`; the plural is regular unless given. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? noun : plural}`;
}

/** `812`, `12,400`, `1.2 million`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000_000) return tokens.toLocaleString("en-GB");
  return `${(tokens / 1_000_000).toFixed(1)} million`;
}

export function formatUsd(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** `40 seconds`, `12 minutes`, `3 h 5 min`, `2 days 4 h`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return formatCount(seconds, "second");
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return formatCount(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  const days = Math.floor(hours / 24);
  return `${formatCount(days, "day")}${hours % 24 === 0 ? "" : ` ${hours % 24} h`}`;
}

const moment = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** `30 Nov, 14:05 UTC`; @param at milliseconds since the epoch. */
export function formatMoment(at: number): string {
  return `${moment.format(at)} UTC`;
}

/** `a`, `a and b`, `a, b and c`; more than `most` are counted. */
export function formatList(items: readonly string[], most = 12): string {
  if (items.length > most) return `${items.slice(0, most).join(", ")} and ${items.length - most} more`;
  const last = items.at(-1);
  if (items.length < 2 || last === undefined) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${last}`;
}
