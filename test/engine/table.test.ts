import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { buildTable, findRow, flattenRows, perRow, putRow, type Table } from "../../src/engine/table.ts";

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

  it("never asks again about what is final, until the row differs", () => {
    const shown = perRow(
      (row: number, isShown: boolean): readonly number[] => (isShown ? [] : [row]),
      (due) => due.length === 0,
    );
    const table = buildTable([["a", 1]]);
    expect(flattenRows(shown(table, false))).toEqual([1]);
    expect(flattenRows(shown(table, true))).toEqual([]);
    expect(flattenRows(shown(table, false))).toEqual([]);
    expect(flattenRows(shown(putRow(table, "a", 2), false))).toEqual([2]);
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
