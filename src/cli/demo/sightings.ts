import type { Sighting } from "./sighting.ts";

/** Everything seen so far, and a way to wait for what is still to come; nothing is ever missed. */
export class Sightings {
  readonly all: Sighting[] = [];
  readonly #waiting = new Set<(sighting: Sighting) => void>();

  add(sighting: Sighting): void {
    this.all.push(sighting);
    for (const notice of this.#waiting) notice(sighting);
  }

  /**
   * The first sighting that fits, among those seen and those to come.
   * @throws the signal's reason when it is aborted first.
   */
  async waitFor(fits: (sighting: Sighting) => boolean, signal: AbortSignal): Promise<Sighting> {
    const past = this.all.find(fits);
    if (past !== undefined) return past;
    signal.throwIfAborted();
    return await new Promise<Sighting>((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(notice);
        signal.removeEventListener("abort", fail);
      };
      const notice = (sighting: Sighting): void => {
        if (!fits(sighting)) return;
        stop();
        resolve(sighting);
      };
      const fail = (): void => {
        stop();
        reject(signal.reason as Error);
      };
      this.#waiting.add(notice);
      signal.addEventListener("abort", fail);
    });
  }
}
