/** A heap of integers, smallest first. */
export class MinHeap {
  readonly #items: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(item: number): void {
    const items = this.#items;
    let index = items.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]! <= item) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = item;
  }

  /** @returns the smallest item, or `undefined` when there is none. */
  pop(): number | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child += 1;
      if (items[child]! >= last) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = last;
    return top;
  }
}
