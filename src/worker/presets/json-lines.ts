/** Reads the event streams agents print: one JSON object per line, other lines ignored. */
export function parseJsonLines(text: string): ReadonlyArray<Readonly<Record<string, unknown>>> {
  const events: Array<Record<string, unknown>> = [];
  for (const line of text.split("\n")) {
    if (!line.trimStart().startsWith("{")) continue;
    try {
      events.push(JSON.parse(line) as Record<string, unknown>);
    } catch {
      // A line cut off in the middle: what it would have said is missing, and the answer decides.
    }
  }
  return events;
}

/** A nested value, or undefined where the way to it is not there. */
export function pick(value: unknown, ...path: ReadonlyArray<string | number>): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

export function pickText(value: unknown, ...path: ReadonlyArray<string | number>): string | null {
  const found = pick(value, ...path);
  return typeof found === "string" ? found : null;
}

/** A number that counts something, or null. */
export function pickCount(value: unknown, ...path: ReadonlyArray<string | number>): number | null {
  const found = pick(value, ...path);
  return typeof found === "number" && Number.isFinite(found) && found >= 0 ? Math.round(found) : null;
}

/** The sum of the numbers that are there; null when none is. */
export function sumCounts(counts: ReadonlyArray<number | null>): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}
