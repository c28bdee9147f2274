/**
 * A record that grows with the run, as plain JSON: keys and rows side by side, in the order in which the keys
 * were first put. Putting a row copies one flat list of references, and what is looked up by key or derived
 * per row is remembered across versions, so that one more fact costs no more in a run of a thousand chunks.
 */
export interface Table<Key extends string, Row> {
  readonly keys: readonly Key[];
  readonly rows: readonly Row[];
}

/** What the versions of one table share; nothing of it is part of a table's value. */
interface Lineage {
  /** Where each key stands. Keys are only added at the end: a version ignores what lies beyond its own end. */
  readonly positions: Map<string, number>;
  /** The position at which each version after the first differs from the one before it. */
  readonly changes: number[];
}

const lineages = new WeakMap<readonly string[], Lineage>();

/** How many changes a version's rows have seen; rows that are not in here are compared one by one. */
const versions = new WeakMap<readonly unknown[], number>();

function readLineage(keys: readonly string[]): Lineage {
  const known = lineages.get(keys);
  if (known !== undefined) return known;
  const lineage: Lineage = { positions: new Map(keys.map((key, position) => [key, position])), changes: [] };
  lineages.set(keys, lineage);
  return lineage;
}

export function buildTable<Key extends string, Row>(entries: ReadonlyArray<readonly [Key, Row]> = []): Table<Key, Row> {
  const rowOf = new Map(entries);
  const rows = [...rowOf.values()];
  versions.set(rows, 0);
  return { keys: [...rowOf.keys()], rows };
}

export function findRow<Key extends string, Row>({ keys, rows }: Table<Key, Row>, key: Key): Row | undefined {
  const position = readLineage(keys).positions.get(key);
  return position === undefined || position >= keys.length ? undefined : rows[position];
}

/** The table with this row under its key; a new key comes last. */
export function putRow<Key extends string, Row>(table: Table<Key, Row>, key: Key, row: NoInfer<Row>): Table<Key, Row> {
  const { keys, rows } = continueLine(table);
  const { positions, changes } = readLineage(keys);
  const position = positions.get(key) ?? keys.length;
  changes.push(position);
  const next =
    position < keys.length ? { keys, rows: rows.with(position, row) } : { keys: [...keys, key], rows: [...rows, row] };
  if (next.keys !== keys) {
    positions.set(key, position);
    lineages.set(next.keys, { positions, changes });
  }
  versions.set(next.rows, changes.length);
  return next;
}

/** The table itself when it is the newest of its line; else the same table at the beginning of a line of its own. */
function continueLine<Key extends string, Row>(table: Table<Key, Row>): Table<Key, Row> {
  const { positions, changes } = readLineage(table.keys);
  // One that was read from JSON is the beginning of its line; nothing is ever put into what was derived.
  if (!versions.has(table.rows) && changes.length === 0) versions.set(table.rows, 0);
  if (versions.get(table.rows) === changes.length && positions.size === table.keys.length) return table;
  const fork = { keys: [...table.keys], rows: [...table.rows] };
  versions.set(fork.rows, 0);
  return fork;
}

/**
 * Derives something from each row and remembers it: of the next version only the rows that differ are looked
 * at. The very same table comes back as long as nothing in it has changed.
 * @param derive must depend on nothing but the row and what it is given beside it (compared by identity).
 */
export function perRow<Row, Beside extends readonly unknown[], Output>(
  derive: (row: Row, ...beside: Beside) => Output,
): <Key extends string>(table: Table<Key, Row>, ...beside: Beside) => Table<Key, Output> {
  const remembered = perRowFinding((row: Row, _find: FindRow<never>, ...beside: Beside) => derive(row, ...beside));
  return (table, ...beside) => remembered(table, NOTHING, ...beside);
}

type FindRow<Row> = (key: string) => Row | undefined;
const NOTHING: Table<string, never> = { keys: [], rows: [] };

/**
 * As {@link perRow}, for what depends on single rows of another table too: a row is looked at again when one
 * that it asked for there differs.
 * @param derive may ask the other table, by `find`, for as many keys as it likes.
 */
export function perRowFinding<Row, Other, Beside extends readonly unknown[], Output>(
  derive: (row: Row, find: FindRow<Other>, ...beside: Beside) => Output,
): <Key extends string>(
  table: Table<Key, Row>,
  other: Table<string, NoInfer<Other>>,
  ...beside: Beside
) => Table<Key, Output> {
  interface Known {
    readonly rows: readonly Row[];
    readonly other: Table<string, Other>;
    readonly beside: Beside;
    readonly outputs: readonly Output[];
    readonly derived: Table<string, Output>;
    /** Which rows have ever asked for a key of the other table, by their positions. */
    readonly askers: Map<string, Set<number>>;
  }
  const known = new WeakMap<Map<string, number>, Known>();
  return <Key extends string>(
    { keys, rows }: Table<Key, Row>,
    other: Table<string, Other>,
    ...beside: Beside
  ): Table<Key, Output> => {
    const { positions, changes } = readLineage(keys);
    const last = known.get(positions);
    const touched = last === undefined || !isSame(last.beside, beside) ? null : listTouched(last, other);
    if (last?.rows === rows && touched?.size === 0) {
      if (last.other !== other) known.set(positions, { ...last, other });
      return last.derived as Table<Key, Output>;
    }
    const askers = last?.askers ?? new Map<string, Set<number>>();
    const outputs = last === undefined ? rows.map(deriveRow) : update(last);
    const derived = outputs === last?.outputs && keys === last.derived.keys ? last.derived : { keys, rows: outputs };
    const version = versions.get(rows);
    // Only while nothing but the rows has changed do these differ just where the rows do.
    const isInLine = last === undefined || (touched?.size === 0 && versions.has(last.outputs));
    if (version !== undefined && isInLine && !versions.has(outputs)) versions.set(outputs, version);
    known.set(positions, { rows, other, beside, outputs, derived, askers });
    return derived as Table<Key, Output>;

    function deriveRow(row: Row, index: number): Output {
      const find = (key: string): Other | undefined => {
        const asking = askers.get(key);
        if (asking === undefined) askers.set(key, new Set([index]));
        else asking.add(index);
        return findRow(other, key);
      };
      return derive(row, find, ...beside);
    }

    function update(former: Known): readonly Output[] {
      let changed: Output[] | null = rows.length === former.rows.length ? null : former.outputs.slice(0, rows.length);
      const look = (index: number): void => {
        const row = rows[index] as Row;
        const isKnown = index < former.rows.length;
        if (isKnown && row === former.rows[index] && touched?.has(index) === false) return;
        const fresh = deriveRow(row, index);
        if (isKnown && fresh === former.outputs[index]) return;
        changed ??= [...former.outputs];
        changed[index] = fresh;
      };
      const suspects = touched === null ? null : listChanges(changes, former.rows, rows);
      if (suspects === null) for (let index = 0; index < rows.length; index += 1) look(index);
      else for (const index of new Set([...suspects, ...(touched ?? [])])) if (index < rows.length) look(index);
      return changed ?? former.outputs;
    }
  };

  /** The positions of the rows that asked for what differs now in the other table; null = any may have. */
  function listTouched(former: Known, other: Table<string, Other>): ReadonlySet<number> | null {
    if (former.other === other) return new Set();
    const { positions, changes } = readLineage(other.keys);
    if (readLineage(former.other.keys).positions !== positions) return null;
    const changed = listChanges(changes, former.other.rows, other.rows);
    return changed === null
      ? null
      : new Set(changed.flatMap((position) => [...(former.askers.get(other.keys[position] ?? "") ?? [])]));
  }
}

/** The positions at which two versions of one line may differ; null = unknown. */
function listChanges(
  changes: readonly number[],
  before: readonly unknown[],
  after: readonly unknown[],
): readonly number[] | null {
  const from = versions.get(before);
  const to = versions.get(after);
  if (from === undefined || to === undefined || from > to || before.length > after.length) return null;
  return changes.slice(from, to);
}

const flattened = new WeakMap<ReadonlyArray<readonly unknown[]>, readonly unknown[]>();

/** All rows of a table of lists, one after another; remembered as long as the table stays the same. */
export function flattenRows<Item>({ rows }: Table<string, readonly Item[]>): readonly Item[] {
  const known = flattened.get(rows);
  if (known !== undefined) return known as readonly Item[];
  const items = rows.flat() as readonly Item[];
  flattened.set(rows, items);
  return items;
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.every((value, index) => value === others[index]);
}
