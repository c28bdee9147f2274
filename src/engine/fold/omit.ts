/** A record without one key; the same object when the key is absent. */
export function omit<Value>(record: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  if (!Object.hasOwn(record, key)) return record;
  const { [key]: _, ...rest } = record;
  return rest;
}

/** The list with its last item that satisfies the test changed; the same list when there is none. */
export function changeLast<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
  change: (item: Item) => Item,
): readonly Item[] {
  const index = items.findLastIndex(test);
  const item = items[index];
  if (item === undefined) return items;
  return items.with(index, change(item));
}

/** The list with another item in the place of its last one. */
export function replaceLast<Item>(items: readonly Item[], item: NoInfer<Item>): readonly Item[] {
  return [...items.slice(0, -1), item];
}
