import { HttpProblem } from "../http-problem.ts";
import type { Actor } from "../state/actor.ts";
import type { RequestCost } from "./request-cost.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits */
const SECONDARY = {
  concurrent: 100,
  pointsPerMinute: 900,
  contentPerMinute: 80,
  contentPerHour: 500,
} as const;

/** Requests an hour. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-primary-rate-limits */
function derivePrimaryLimit(actor: Actor): number {
  switch (actor.kind) {
    case "anonymous":
      return 60;
    case "run":
      return 1_000;
    case "app":
    case "user":
    case "installation":
      return 5_000;
  }
}

function deriveKey(actor: Actor): string {
  switch (actor.kind) {
    case "anonymous":
    case "app":
      return actor.kind;
    case "user":
      return `user ID ${actor.account.id}`;
    case "installation":
      return `installation ID ${actor.installationId}`;
    case "run":
      return `repository ID ${actor.repositoryId}`;
  }
}

interface Bucket {
  windowStart: number;
  used: number;
  concurrent: number;
  /** Of the last minute. */
  points: { readonly at: number; readonly points: number }[];
  /** Of the last hour. */
  content: number[];
}

export interface RateStatus {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

/** GitHub's primary and secondary rate limits, kept per caller. */
export class RateLimits {
  readonly #enforced: boolean;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(parts: { readonly limits: "github" | "off"; readonly now: () => number }) {
    this.#enforced = parts.limits === "github";
    this.#now = parts.now;
  }

  /** Admits a request or throws the refusal; the returned function must be called when it has ended. */
  admit(actor: Actor, cost: RequestCost): (outcome: { readonly free: boolean }) => void {
    const bucket = this.#find(actor);
    const now = this.#now();
    if (this.#enforced) {
      this.#checkPrimary(actor, bucket);
      this.#checkSecondary(bucket, cost, now);
    }
    bucket.concurrent += 1;
    bucket.points.push({ at: now, points: cost.points });
    if (cost.contentCreating) bucket.content.push(now);
    bucket.used += 1;
    return ({ free }) => {
      bucket.concurrent -= 1;
      if (free) bucket.used -= 1;
    };
  }

  status(actor: Actor): RateStatus {
    const bucket = this.#find(actor);
    const limit = derivePrimaryLimit(actor);
    return {
      limit,
      used: bucket.used,
      remaining: Math.max(0, limit - bucket.used),
      reset: Math.ceil((bucket.windowStart + HOUR_MS) / 1000),
    };
  }

  #find(actor: Actor): Bucket {
    const key = deriveKey(actor);
    const now = this.#now();
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = { windowStart: now, used: 0, concurrent: 0, points: [], content: [] };
      this.#buckets.set(key, bucket);
    }
    if (now - bucket.windowStart >= HOUR_MS) {
      bucket.windowStart = now;
      bucket.used = 0;
    }
    bucket.points = bucket.points.filter((entry) => now - entry.at < MINUTE_MS);
    bucket.content = bucket.content.filter((at) => now - at < HOUR_MS);
    return bucket;
  }

  #checkPrimary(actor: Actor, bucket: Bucket): void {
    const status = this.status(actor);
    if (bucket.used < status.limit) return;
    throw new HttpProblem(403, `API rate limit exceeded for ${deriveKey(actor)}.`, undefined, {
      "x-ratelimit-remaining": "0",
    });
  }

  #checkSecondary(bucket: Bucket, cost: RequestCost, now: number): void {
    const points = bucket.points.reduce((sum, entry) => sum + entry.points, 0);
    const lastMinute = bucket.content.filter((at) => now - at < MINUTE_MS);
    if (bucket.concurrent >= SECONDARY.concurrent) throw secondaryLimit(1);
    if (points + cost.points > SECONDARY.pointsPerMinute) {
      throw secondaryLimit(waitSeconds(bucket.points[0]?.at ?? now, MINUTE_MS, now));
    }
    if (!cost.contentCreating) return;
    if (lastMinute.length >= SECONDARY.contentPerMinute) {
      throw secondaryLimit(waitSeconds(lastMinute[0] ?? now, MINUTE_MS, now));
    }
    if (bucket.content.length >= SECONDARY.contentPerHour) {
      throw secondaryLimit(waitSeconds(bucket.content[0] ?? now, HOUR_MS, now));
    }
  }
}

function waitSeconds(oldest: number, windowMs: number, now: number): number {
  return Math.max(1, Math.ceil((oldest + windowMs - now) / 1000));
}

/** The refusal GitHub's own client libraries recognise by its words. */
export function secondaryLimit(retryAfterSeconds: number): HttpProblem {
  return new HttpProblem(
    403,
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    undefined,
    { "retry-after": String(retryAfterSeconds) },
  );
}
