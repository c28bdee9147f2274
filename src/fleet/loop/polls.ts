/** When each thing was last looked at. Kept in memory: after a restart everything is looked at again. */
import type { RunAddress } from "../../store/port.ts";
import type { IntervalOf } from "./derive-intervals.ts";
import type { Target } from "../observe.ts";

export class Polls {
  readonly #last = new Map<string, number>();

  mark(address: RunAddress, target: Target, now: number): void {
    this.#last.set(formatKey(address, target), now);
  }

  /** Whether it was looked at since a time. */
  wasSeen(address: RunAddress, target: Target, since: number): boolean {
    return (this.#last.get(formatKey(address, target)) ?? 0) >= since;
  }

  /** It is due at once. */
  hurry(address: RunAddress, target: Target): void {
    this.#last.set(formatKey(address, target), 0);
  }

  isDue(address: RunAddress, target: Target, intervalOf: IntervalOf, now: number): boolean {
    return now >= this.#dueAt(address, target, intervalOf);
  }

  /** The earliest time one of the targets is due, or null when there is none. New targets wait a full interval. */
  nextAt(address: RunAddress, targets: readonly Target[], intervalOf: IntervalOf, now: number): number | null {
    let next: number | null = null;
    for (const target of targets) {
      const key = formatKey(address, target);
      // What has just come into being was observed by bringing it about.
      if (!this.#last.has(key)) this.#last.set(key, now);
      const at = this.#dueAt(address, target, intervalOf);
      if (next === null || at < next) next = at;
    }
    return next;
  }

  forget(address: RunAddress): void {
    const prefix = formatKey(address, "");
    for (const key of this.#last.keys()) if (key.startsWith(prefix)) this.#last.delete(key);
  }

  #dueAt(address: RunAddress, target: Target, intervalOf: IntervalOf): number {
    const last = this.#last.get(formatKey(address, target));
    return last === undefined ? 0 : last + intervalOf(target);
  }
}

function formatKey(address: RunAddress, target: string): string {
  return `${address.repositoryId}/${address.runKey}/${target}`;
}
