import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { buildTable, findRow, flattenRows, perRow, perRowFinding, putRow, type Table } from "../../src/engine/table.ts";

type Numbers = Table<string, number>;

/** Puts that begin at any earlier version, so that lines fork. */
const puts = fc.array(
  fc.record({
    from: fc.nat(),
    key: fc.constantFrom("a", "b", "c", "d", "__proto__", "1", "constructor"),
    row: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 40 },
);

const questions = fc.array(fc.record({ at: fc.nat(), beside: fc.nat({ max: 1 }), isFollowed: fc.boolean() }), {
  maxLength: 60,
});

/** Every version beside what a plain map would hold. */
function grow(steps: ReadonlyArray<{ from: number; key: string; row: number }>): Array<{
  table: Numbers;
  model: ReadonlyMap<string, number>;
}> {
  const versions = [
    { table: buildTable<string, number>(), model: new Map<string, number>() as ReadonlyMap<string, number> },
  ];
  for (const { from, key, row } of steps) {
    // Mostly the newest one, as in a run.
    const base = versions[from % 4 === 0 ? from % versions.length : versions.length - 1] ?? versions[0];
    if (base === undefined) continue;
    versions.push({ table: putRow(base.table, key, row), model: new Map(base.model).set(key, row) });
  }
  return versions;
}

describe("a table", () => {
  it("holds in every version what was put until then, in the order of the keys' first putting", () => {
    fc.assert(
      fc.property(puts, (steps) => {
        for (const { table, model } of grow(steps)) {
          expect(table.keys).toEqual([...model.keys()]);
          expect(table.rows).toEqual([...model.values()]);
          for (const key of ["a", "b", "c", "d", "__proto__", "1", "constructor", "never"])
            expect(findRow(table, key)).toBe(model.get(key));
        }
      }),
    );
  });

  it("is the same after a trip through JSON", () => {
    const table = putRow(putRow(buildTable([["a", 1]]), "b", 2), "a", 3);
    const read = JSON.parse(JSON.stringify(table)) as typeof table;
    expect(findRow(read, "a")).toBe(3);
    expect(putRow(read, "c", 4)).toEqual({ keys: ["a", "b", "c"], rows: [3, 2, 4] });
  });

  it("derives from each row what deriving anew would give, in whatever order versions are asked about", () => {
    fc.assert(
      fc.property(puts, questions, (steps, asked) => {
        const versions = grow(steps);
        const addTo = perRow((row: number, beside: number) => row * 10 + beside);
        const halve = perRow((row: number) => Math.floor(row / 2));
        for (const { at, beside, isFollowed } of asked) {
          const table = versions[at % versions.length]?.table ?? buildTable<string, number>();
          const derived = addTo(table, beside);
          expect(derived).toEqual({ keys: table.keys, rows: table.rows.map((row) => row * 10 + beside) });
          if (isFollowed) expect(halve(derived).rows).toEqual(derived.rows.map((row) => Math.floor(row / 2)));
        }
      }),
    );
  });

  it("looks only at the rows that differ from those it was asked about last", () => {
    const seen: number[] = [];
    const double = perRow((row: number) => {
      seen.push(row);
      return row * 2;
    });
    const first = buildTable([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
    double(first);
    expect(seen.splice(0)).toEqual([1, 2, 3]);
    expect(double(putRow(putRow(first, "b", 5), "d", 7)).rows).toEqual([2, 10, 6, 14]);
    expect(seen).toEqual([5, 7]);
  });

  it("gives the same table back while nothing derived from it changes", () => {
    const isLarge = perRow((row: number) => row > 10);
    const table = buildTable([["a", 1]]);
    const before = isLarge(table);
    expect(isLarge(putRow(table, "a", 2))).toBe(before);
    expect(isLarge(putRow(table, "a", 20))).not.toBe(before);
  });

  it("derives what deriving anew would give where rows ask another table, in whatever order versions are asked about", () => {
    fc.assert(
      fc.property(puts, puts, questions, (steps, otherSteps, asked) => {
        const versions = grow(steps);
        const others = grow(otherSteps);
        const joined = (row: number, find: (key: string) => number | undefined, beside: number): string =>
          `${row} ${beside} ${row === 0 ? "" : `${find("abcd"[row] ?? "")} ${find("__proto__")}`}`;
        const join = perRowFinding(joined);
        const mark = perRow((text: string) => `<${text}>`);
        for (const { at, beside, isFollowed } of asked) {
          const table = versions[at % versions.length]?.table ?? buildTable<string, number>();
          const other = others[(at * 7 + beside) % others.length] ?? grow([])[0];
          if (other === undefined) continue;
          const derived = join(table, other.table, beside);
          expect(derived).toEqual({
            keys: table.keys,
            rows: table.rows.map((row) => joined(row, (key) => other.model.get(key), beside)),
          });
          if (isFollowed) expect(mark(derived).rows).toEqual(derived.rows.map((text) => `<${text}>`));
        }
      }),
    );
  });

  it("looks again only at the rows whose answers from the other table differ, even when they go back", () => {
    const seen: string[] = [];
    const listDue = perRowFinding((row: string, find: (key: string) => number | undefined): readonly string[] => {
      seen.push(row);
      return find(row) === 1 ? [] : [row];
    });
    const wanted = buildTable([
      ["first", "a"],
      ["second", "b"],
    ]);
    const none = buildTable<string, number>();
    expect(flattenRows(listDue(wanted, none))).toEqual(["a", "b"]);
    const shown = putRow(none, "a", 1);
    seen.length = 0;
    expect(flattenRows(listDue(wanted, shown))).toEqual(["b"]);
    expect(seen.splice(0)).toEqual(["a"]);
    const unrelated = putRow(shown, "z", 1);
    const before = listDue(wanted, unrelated);
    expect(seen.splice(0)).toEqual([]);
    const another = putRow(unrelated, "y", 1);
    expect(listDue(wanted, another)).toBe(before);
    expect(flattenRows(listDue(wanted, putRow(another, "a", 2)))).toEqual(["a", "b"]);
    expect(seen).toEqual(["a"]);
  });

  it("knows that what stands beside the rows may change all that is derived from them", () => {
    const add = perRow((row: number, beside: number) => row + beside);
    const negate = perRow((row: number) => -row);
    const table = buildTable([
      ["a", 1],
      ["b", 2],
    ]);
    expect(negate(add(table, 10)).rows).toEqual([-11, -12]);
    add(table, 20);
    const next = putRow(table, "b", 3);
    expect(negate(add(next, 20)).rows).toEqual([-21, -23]);
    expect(negate(add(next, 30)).rows).toEqual([-31, -33]);
  });
});
