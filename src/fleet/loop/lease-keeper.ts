import type { Lease } from "../../store/port.ts";
import type { Timers } from "../clock.ts";
import type { Fleet } from "../context.ts";

/** Extends a lease on a timer while its key is worked on: a single action may take longer than a lease lasts. */
export class LeaseKeeper {
  readonly #fleet: Pick<Fleet, "store" | "clock" | "log">;
  readonly #timers: Timers;
  readonly #lease: Lease;
  readonly #terms: { readonly leaseMs: number; readonly everyMs: number };
  #disarm: (() => void) | null = null;
  #until: number;
  #lost = false;
  #ended = false;

  /** @param terms `until`: the end the store was given (ms). It may have taken its time to answer since then. */
  constructor(
    fleet: Pick<Fleet, "store" | "clock" | "log">,
    timers: Timers,
    lease: Lease,
    terms: { readonly until: number; readonly leaseMs: number; readonly everyMs: number },
  ) {
    const { until, leaseMs, everyMs } = terms;
    this.#fleet = fleet;
    this.#timers = timers;
    this.#lease = lease;
    this.#terms = terms;
    this.#until = until;
    this.#arm(Math.max(0, until - leaseMs + everyMs - fleet.clock.now()));
  }

  /** Whether nobody else can have the key: it was not lost, and has not run out while this process stood still. */
  get held(): boolean {
    return !this.#lost && this.#fleet.clock.now() < this.#until;
  }

  /** The work on the key is over. */
  end(): void {
    this.#ended = true;
    this.#disarm?.();
  }

  #arm(ms: number): void {
    this.#disarm = this.#timers.after(ms, () => void this.#extend());
  }

  async #extend(): Promise<void> {
    const until = this.#fleet.clock.now() + this.#terms.leaseMs;
    try {
      const kept = await this.#fleet.store.extendLease(this.#lease, until);
      if (kept) this.#until = until;
      else this.#lost = true;
    } catch (error) {
      // The next try may succeed before the lease runs out; `held` knows when it has.
      this.#fleet.log.warn({ key: this.#lease.key, err: error }, "a lease could not be extended");
    }
    if (!this.#ended && !this.#lost) this.#arm(this.#terms.everyMs);
  }
}
