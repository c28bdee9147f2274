/**
 * Work GitHub does after it has answered: deliveries, mergeability, marking as merged, runs. Everything
 * pending is counted, so that `idle` can tell when the world has come to rest.
 */
export class Background {
  #pending = 0;
  #closed = false;
  readonly #timers = new Map<NodeJS.Timeout, () => void>();
  readonly #waiting = new Set<() => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Runs `task` after `delayMs`; failures go to the log, not to the caller. */
  schedule(delayMs: number, task: () => Promise<void> | void): void {
    if (this.#closed) return;
    this.#pending += 1;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#run(task);
    }, delayMs);
    this.#timers.set(timer, () => this.#settle());
  }

  /** Resolves once nothing is pending; returns at once when nothing is. */
  async idle(): Promise<void> {
    while (this.#pending > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Drops what has not started and waits for what has. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const [timer, drop] of this.#timers) {
      clearTimeout(timer);
      drop();
    }
    this.#timers.clear();
    await this.idle();
  }

  async #run(task: () => Promise<void> | void): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#settle();
    }
  }

  #settle(): void {
    this.#pending -= 1;
    if (this.#pending > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
