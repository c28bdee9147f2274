import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { listFolders, overlapClasses, scopesOverlap } from "../../../src/plan/graph.ts";
import { MinHeap } from "../../../src/plan/graph/min-heap.ts";

describe("two scopes overlap", () => {
  it.each<[string[], string[]]>([
    [["a.ts"], ["b.ts", "a.ts"]],
    [["src/A.ts"], ["SRC/a.ts"]],
    [["caf\u00e9.ts"], ["cafe\u0301.ts"]],
    [["src"], ["src/a.ts"]],
    [["src/a/b.ts"], ["src/a"]],
    [["SRC/a.ts"], ["src"]],
  ])("%j and %j", (a, b) => {
    expect([scopesOverlap(a, b), scopesOverlap(b, a)]).toEqual([true, true]);
  });

  it.each<[string[], string[]]>([
    [["a.ts"], ["b.ts"]],
    [["src/a.ts"], ["src/b.ts"]],
    [["src/a"], ["src/ab"]],
    [["src/a.ts"], ["a.ts"]],
    [["a"], []],
    [[], []],
  ])("not %j and %j", (a, b) => {
    expect([scopesOverlap(a, b), scopesOverlap(b, a)]).toEqual([false, false]);
  });
});

describe("overlap classes", () => {
  const scoped = (files: Record<string, string[]>) =>
    Object.entries(files).map(([id, files_touched]) => ({ id, files_touched }));

  it("join chunks through chains of shared files and folders", () => {
    expect(
      overlapClasses(scoped({ a: ["x"], b: ["y"], c: ["x", "z"], d: ["Z"], e: ["w/1"], f: ["v"], g: ["W"] })),
    ).toEqual([["a", "c", "d"], ["b"], ["e", "g"], ["f"]]);
    expect(overlapClasses(scoped({ a: ["x/1"], b: ["y/1", "y/z/2"], c: ["z/1"] }))).toEqual([["a"], ["b"], ["c"]]);
    expect(overlapClasses([])).toEqual([]);
    expect(overlapClasses(scoped({ a: [], b: [] }))).toEqual([["a"], ["b"]]);
  });

  it("are the connected parts of the pairs that overlap", () => {
    const file = fc.constantFrom("a", "b", "c", "a/x", "b/y", "A/z", "d", "e");
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(file, { maxLength: 3 }), { maxLength: 7 }), (scopes) => {
        const chunks = scopes.map((files_touched, index) => ({ id: `n${index}`, files_touched }));
        const classOf = new Map(overlapClasses(chunks).flatMap((ids, index) => ids.map((id) => [id, index] as const)));
        const reach = chunks.map((_, from) => {
          const seen = new Set([from]);
          for (const node of seen)
            chunks.forEach(
              (chunk, other) => scopesOverlap(chunks[node]!.files_touched, chunk.files_touched) && seen.add(other),
            );
          return seen;
        });
        chunks.forEach((a, from) =>
          chunks.forEach((b, to) => expect(classOf.get(a.id) === classOf.get(b.id)).toBe(reach[from]!.has(to))),
        );
      }),
    );
  });

  it("know the folders of a path", () => {
    expect(listFolders("a/b/c.ts")).toEqual(["a", "a/b"]);
    expect(listFolders("a")).toEqual([]);
  });
});

describe("the heap", () => {
  it("gives the smallest first", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (items) => {
        const heap = new MinHeap();
        for (const item of items) heap.push(item);
        expect(heap.size).toBe(items.length);
        expect(items.map(() => heap.pop())).toEqual([...items].sort((a, b) => a - b));
        expect(heap.pop()).toBeUndefined();
      }),
    );
  });
});
