/**
 * One text per JSON value, so that equal values have equal hashes: keys sorted by UTF-16 code
 * units (integer-like keys first, by value), no blanks, numbers as ECMAScript prints them. Keys
 * whose value is `undefined` are left out, as `JSON.stringify` does.
 */
export function formatCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isPlainObject(part) ? sortKeys(part) : part)) ?? "null";
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortKeys(value: Record<string, unknown>): Record<string, unknown> {
  // Without a prototype a key named `__proto__` is a key like any other.
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).sort()) sorted[key] = value[key];
  return sorted;
}
