import type { Delivery } from "./webhooks/delivery.ts";

/** What may happen to a delivery on its way. */
export type DeliveryFault =
  /** GitHub never made it; it cannot be redelivered. */
  | { readonly kind: "drop" }
  /** Recorded as failed; it can be redelivered. */
  | { readonly kind: "fail" }
  /** Sent twice with the same GUID. */
  | { readonly kind: "double" }
  /** Sent later. */
  | { readonly kind: "delay"; readonly ms: number }
  /** Sent after the next one, at the latest after `ms`. */
  | { readonly kind: "reorder"; readonly ms: number };

/** What may happen to a request instead of, or after, its effect. */
export type ResponseFault =
  /** Nothing happens; the status is answered. A fresh token meets 401 or 403 for some seconds. */
  | { readonly kind: "error"; readonly status: 401 | 403 | 404 | 500 | 502 | 503 | 504 }
  /** Nothing happens; a pull request or a check is refused as where what was pushed has not been heard of yet. */
  | { readonly kind: "unseen-push" }
  /** Nothing happens; secondary rate limit with `retry-after`. */
  | { readonly kind: "secondary-limit"; readonly retryAfterSeconds: number }
  /** The effect happens; then the connection is cut. */
  | { readonly kind: "cut-after-effect" }
  /** The effect happens; 502 is answered. */
  | { readonly kind: "error-after-effect" }
  /** The effect happens and is answered; the next `times` reads of what was created, alone or in lists, miss it. */
  | { readonly kind: "not-found-after-create"; readonly times: number };

interface Rule<Match, Fault> {
  readonly match: Match;
  readonly fault: Fault;
  left: number;
}

export interface RequestMatch {
  readonly method?: string;
  /** Tested against the path below the API root, e.g. `/repos/o/r/pulls`. */
  readonly path?: RegExp;
}

/** What GitHub does after it has answered, and can be kept from doing. */
export type HeldEffect = "mergeability" | "merged";

/** In-process control of everything that goes wrong on GitHub now and then. */
export class Faults {
  readonly #deliveries: Rule<(delivery: Delivery) => boolean, DeliveryFault>[] = [];
  readonly #responses: Rule<RequestMatch, ResponseFault>[] = [];
  readonly #hidden = new Map<string, number>();
  readonly #holds = new Map<HeldEffect, Promise<void>>();
  readonly #releases = new Set<() => void>();
  /** Every delivery fault that struck, in order. */
  readonly struckDeliveries: { readonly guid: string; readonly kind: DeliveryFault["kind"] }[] = [];
  /** Every response fault that struck, in order. */
  readonly struckResponses: { readonly route: string; readonly kind: ResponseFault["kind"] }[] = [];

  /** The next `times` matching deliveries meet this fault. */
  onDelivery(match: (delivery: Delivery) => boolean, fault: DeliveryFault, times = 1): void {
    this.#deliveries.push({ match, fault, left: times });
  }

  /** The next `times` matching requests meet this fault. */
  onRequest(match: RequestMatch, fault: ResponseFault, times = 1): void {
    this.#responses.push({ match, fault, left: times });
  }

  /** Forgets every fault that has not struck yet and releases what is held. */
  clear(): void {
    this.#deliveries.length = 0;
    this.#responses.length = 0;
    this.#hidden.clear();
    for (const release of this.#releases) release();
    this.#releases.clear();
  }

  /** Keeps GitHub from doing something until the returned function is called: it is late, as it often is. */
  hold(effect: HeldEffect): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holds.set(effect, promise);
    const release = () => {
      this.#holds.delete(effect);
      this.#releases.delete(release);
      resolve();
    };
    this.#releases.add(release);
    return release;
  }

  /** True while something keeps GitHub from doing it. */
  isHeld(effect: HeldEffect): boolean {
    return this.#holds.has(effect);
  }

  /** Resolves when nothing holds the effect. */
  async untilReleased(effect: HeldEffect): Promise<void> {
    await this.#holds.get(effect);
  }

  takeDeliveryFault(delivery: Delivery): DeliveryFault | null {
    const rule = this.#deliveries.find((rule) => rule.left > 0 && rule.match(delivery));
    if (rule === undefined) return null;
    rule.left -= 1;
    this.struckDeliveries.push({ guid: delivery.guid, kind: rule.fault.kind });
    return rule.fault;
  }

  takeResponseFault(method: string, path: string): ResponseFault | null {
    const rule = this.#responses.find(
      ({ left, match }) =>
        left > 0 && (match.method === undefined || match.method === method) && (match.path?.test(path) ?? true),
    );
    if (rule === undefined) return null;
    rule.left -= 1;
    this.struckResponses.push({ route: `${method} ${path}`, kind: rule.fault.kind });
    return rule.fault;
  }

  /** True when something is kept from being read. */
  get hiding(): boolean {
    return this.#hidden.size > 0;
  }

  /** Makes the next `times` reads of a path (decoded, without query) miss it. */
  hide(url: string, times: number): void {
    this.#hidden.set(url, times);
  }

  /** True when this read must not find what is there. */
  takeHidden(url: string): boolean {
    const left = this.#hidden.get(url) ?? 0;
    if (left <= 0) return false;
    if (left === 1) this.#hidden.delete(url);
    else this.#hidden.set(url, left - 1);
    return true;
  }
}
