import type { FailureKind } from "../contracts/errors.ts";
import type { Route } from "./operations.ts";

/** One try of a request, for logs and metrics: no address, no body, no token. */
export interface RequestEntry {
  readonly route: Route;
  /** null: in the App's own name. */
  readonly installation: number | null;
  /** null when no answer came. */
  readonly status: number | null;
  readonly failure: FailureKind | null;
  /** From the moment the request was wanted, and from the moment it was sent. */
  readonly waitedMs: number;
  readonly tookMs: number;
}

/** What GitHub said last about an installation's hourly limit. */
export interface PrimaryBudget {
  readonly limit: number;
  readonly remaining: number;
  /** When it is whole again, in ms. */
  readonly resetAt: number;
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/** null where the answer does not say. */
export function readBudget(headers: Headers): PrimaryBudget | null {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers[`x-ratelimit-${name}`]);
  if (limit === undefined || remaining === undefined || reset === undefined) return null;
  const budget = { limit: Number(limit), remaining: Number(remaining), resetAt: Number(reset) * 1000 };
  return Object.values(budget).every(Number.isFinite) ? budget : null;
}
