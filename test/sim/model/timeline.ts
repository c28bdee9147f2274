/** A value with its past, so that a read can be answered as GitHub's replicas answer it: late. */
export class Timeline<Value> {
  readonly #entries: Array<{ readonly at: number; readonly value: Value }> = [];

  constructor(at: number, value: Value) {
    this.#entries.push({ at, value });
  }

  get now(): Value {
    const last = this.#entries.at(-1);
    if (last === undefined) throw new Error("a timeline is never empty");
    return last.value;
  }

  get changedAt(): number {
    return this.#entries.at(-1)?.at ?? 0;
  }

  /** When what stood there at that time had changed last; undefined when it did not exist yet. */
  changedBy(time: number): number | undefined {
    return this.#entries.findLast((entry) => entry.at <= time)?.at;
  }

  /** The newest value of a kind, or undefined. */
  last(test: (value: Value) => boolean): Value | undefined {
    return this.#entries.findLast((entry) => test(entry.value))?.value;
  }

  /** How often at most the same was written in a row. */
  countRepeats(isSame: (one: Value, other: Value) => boolean): number {
    let most = 0;
    let count = 0;
    for (const [index, { value }] of this.#entries.entries()) {
      const former = this.#entries[index - 1];
      count = former !== undefined && isSame(former.value, value) ? count + 1 : 0;
      most = Math.max(most, count);
    }
    return most;
  }

  set(at: number, value: Value): void {
    this.#entries.push({ at, value });
  }

  /** As it was then; undefined when it did not exist yet. */
  at(time: number): Value | undefined {
    for (let index = this.#entries.length - 1; index >= 0; index -= 1) {
      const entry = this.#entries[index];
      if (entry !== undefined && entry.at <= time) return entry.value;
    }
    return undefined;
  }
}
