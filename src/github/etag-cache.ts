/** An answer with the ETag it came with. */
export interface Remembered {
  readonly etag: string;
  readonly response: unknown;
}

export interface EtagCache {
  find(key: string): Remembered | undefined;
  keep(key: string, remembered: Remembered): void;
}

/**
 * The last answers to reads that are polled. Asked with their ETag, an answer that is still right
 * comes as 304 and is not counted against the primary limit
 * (docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests).
 */
export function createEtagCache(limit: number): EtagCache {
  const entries = new Map<string, Remembered>();
  return {
    find(key) {
      const entry = entries.get(key);
      if (entry !== undefined) {
        // The map's order is the order of use: what was used last goes last.
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry;
    },
    keep(key, remembered) {
      entries.delete(key);
      entries.set(key, remembered);
      const oldest = entries.keys().next();
      if (entries.size > limit && oldest.done !== true) entries.delete(oldest.value);
    },
  };
}
