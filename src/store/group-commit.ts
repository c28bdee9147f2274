export interface GroupOptions<Item, Result> {
  /** Stores all items in one transaction; results in the items' order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The size of an item, in characters. */
  readonly size: (item: Item) => number;
  readonly maxItems: number;
  readonly maxSize: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Group commit: what arrives while one transaction is on its way to the disk shares the next one.
 * When a group fails, its items are tried one by one, so that one bad item fails alone.
 */
export function groupCommits<Item, Result>(options: GroupOptions<Item, Result>): (item: Item) => Promise<Result> {
  const queue: Array<Waiting<Item, Result>> = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    // Lets everything that arrives in this turn of the event loop join the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await commitGroup(takeGroup(queue, options));
    working = false;
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

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!working) void work();
    });
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
