import type { Clock } from "./clock.ts";

/** What we created lately: GitHub may answer 404 to a read of it, for minutes at worst. */
export interface RecentThings {
  add(name: string): void;
  has(name: string): boolean;
}

const lifeMs = 2 * 60_000;
const limit = 2000;

export function createRecentThings(clock: Clock): RecentThings {
  const bornAt = new Map<string, number>();
  return {
    add(name) {
      bornAt.delete(name);
      bornAt.set(name, clock.now());
      const oldest = bornAt.keys().next();
      if (bornAt.size > limit && oldest.done !== true) bornAt.delete(oldest.value);
    },
    has: (name) => clock.now() - (bornAt.get(name) ?? Number.NEGATIVE_INFINITY) < lifeMs,
  };
}
