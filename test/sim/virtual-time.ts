/** A clock that stands still between events, and the events in the order of their times. */
interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  dead: boolean;
}

export class VirtualTime {
  #now: number;
  #order = 0;
  readonly #heap: Entry[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Runs something later; what is due at the same time runs in the order in which it was asked for. */
  after(ms: number, run: () => void): () => void {
    const entry: Entry = { at: this.#now + Math.max(0, ms), order: (this.#order += 1), run, dead: false };
    this.#push(entry);
    return () => {
      entry.dead = true;
    };
  }

  /** Lets a promise wait. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** When the next event comes, or null. */
  peek(): number | null {
    while (this.#heap[0]?.dead === true) this.#pop();
    return this.#heap[0]?.at ?? null;
  }

  /** Goes on to the next event and runs it. @returns false when there is none. */
  step(): boolean {
    while (true) {
      const entry = this.#pop();
      if (entry === undefined) return false;
      if (entry.dead) continue;
      this.#now = Math.max(this.#now, entry.at);
      entry.run();
      return true;
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(heap[index], heap[parent])) break;
      swap(heap, index, parent);
      index = parent;
    }
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    let index = 0;
    for (;;) {
      const left = index * 2 + 1;
      const right = left + 1;
      let least = index;
      if (isBefore(heap[left], heap[least])) least = left;
      if (isBefore(heap[right], heap[least])) least = right;
      if (least === index) return first;
      swap(heap, index, least);
      index = least;
    }
  }
}

function isBefore(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined) return false;
  if (b === undefined) return true;
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function swap(heap: Entry[], a: number, b: number): void {
  const kept = heap[a];
  const other = heap[b];
  if (kept === undefined || other === undefined) return;
  heap[a] = other;
  heap[b] = kept;
}
