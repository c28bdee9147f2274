export interface GroupOptions<Item, Result> {
  /** Stores all items in one transaction; results in the items' order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The size of an item, in characters. */
  readonly size: (item: Item) => number;
  readonly maxItems: number;
  readonly maxSize: number;
}

export interface GroupCommit<Item, Result> {
  /** Resolves when the item is stored. */
  commit(item: Item): Promise<Result>;
  /** Resolves when nothing is on its way any more. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** The longest a first item waits for others. */
const GATHER_MS = 10;

/**
 * Group commit: what arrives while one transaction is on its way to the disk shares the next one.
 * When a group fails, its items are tried one by one, so that one bad item fails alone.
 */
export function groupCommits<Item, Result>(options: GroupOptions<Item, Result>): GroupCommit<Item, Result> {
  const queue: Array<Waiting<Item, Result>> = [];
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    while (queue.length > 0) {
      await gather();
      await commitGroup(takeGroup(queue, options));
    }
    working = null;
  }

  /**
   * Waits as long as each turn of the event loop brings more, for a moment at most: while a transaction is on
   * its way to the disk nothing is read from the sockets, so what waits there comes turn by turn.
   */
  async function gather(): Promise<void> {
    const until = performance.now() + GATHER_MS;
    let before = 0;
    while (queue.length > before && queue.length < options.maxItems && performance.now() < until) {
      before = queue.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function commitGroup(group: ReadonlyArray<Waiting<Item, Result>>): Promise<void> {
    try {
      const results = await options.commit(group.map((waiting) => waiting.item));
      group.forEach((waiting, index) => waiting.resolve(results[index] as Result));
    } catch (error) {
      const [only] = group;
      if (group.length === 1) only?.reject(error);
      else for (const waiting of group) await commitGroup([waiting]);
    }
  }

  return {
    commit: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        working ??= work();
      }),
    idle: async () => {
      await working;
    },
  };
}

function takeGroup<Item, Result>(
  queue: Array<Waiting<Item, Result>>,
  options: GroupOptions<Item, Result>,
): ReadonlyArray<Waiting<Item, Result>> {
  let count = 0;
  let size = 0;
  for (const { item } of queue) {
    size += options.size(item);
    if (count > 0 && (count >= options.maxItems || size > options.maxSize)) break;
    count += 1;
  }
  return queue.splice(0, count);
}
