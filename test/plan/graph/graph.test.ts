import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import {
  ancestors,
  buildGraph,
  criticalPath,
  descendants,
  findCycle,
  findCycles,
  findRedundantDeps,
  type GraphInput,
  type GraphNode,
  listStages,
  readySet,
  remainingPathLengths,
  topologicalOrder,
  transitiveReduction,
} from "../../../src/plan/graph.ts";
import { answerOrderQuestions } from "../../../src/plan/graph/waits-for.ts";
import { buildDag } from "../build-valid-plan.ts";

const diamond = buildDag({ wire: ["left", "right"], left: ["base"], right: ["base"], base: [], docs: [] });

/** Acyclic by construction: deps point to lower numbers; the input order is shuffled. */
const dag: fc.Arbitrary<readonly GraphNode[]> = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.tuple(
      fc.array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 4 }), { minLength: size, maxLength: size }),
      fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
    ),
  )
  .map(([deps, order]) =>
    order.map((node) => ({
      id: `n${node}`,
      deps: [...new Set(deps[node])].filter((dep) => dep < node).map((dep) => `n${dep}`),
    })),
  );

/** The slow, obvious answer: everything `id` waits for. */
function collectAncestors(nodes: readonly GraphNode[], id: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: string): void => {
    for (const dep of nodes.find((other) => other.id === node)?.deps ?? []) {
      if (found.has(dep)) continue;
      found.add(dep);
      visit(dep);
    }
  };
  visit(id);
  return found;
}

describe("a graph", () => {
  it("holds each chunk's deps and dependents as numbers", () => {
    expect(buildGraph(diamond)).toEqual({
      ids: ["wire", "left", "right", "base", "docs"],
      indexOf: new Map([
        ["wire", 0],
        ["left", 1],
        ["right", 2],
        ["base", 3],
        ["docs", 4],
      ]),
      depStarts: Int32Array.of(0, 2, 3, 4, 4, 4),
      depTargets: Int32Array.of(1, 2, 3, 3),
      dependentStarts: Int32Array.of(0, 0, 1, 2, 4, 4),
      dependentTargets: Int32Array.of(0, 0, 1, 2),
    });
  });

  it("is asked the same as the chunks it was built of", () => {
    const graph = buildGraph(diamond);
    const landed = new Set(["base"]);
    const ask = (input: GraphInput) => [
      topologicalOrder(input),
      findCycles(input),
      readySet(input, landed),
      ancestors(input, "wire"),
      descendants(input, "base"),
      criticalPath(input),
      listStages(input),
      transitiveReduction(input),
    ];
    expect(ask(graph)).toEqual(ask(diamond));
  });
});

describe("the topological order", () => {
  it("puts deps first and otherwise keeps the input's order", () => {
    expect(topologicalOrder(diamond)).toEqual(["base", "left", "right", "wire", "docs"]);
    expect(topologicalOrder(buildDag({ d: [], c: [], b: ["d"], a: ["c"] }))).toEqual(["d", "c", "b", "a"]);
    expect(topologicalOrder(buildDag({ z: ["a"], b: [], a: [] }))).toEqual(["b", "a", "z"]);
  });

  it("leaves an input that is in order as it is, and is the same when asked again", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        const order = topologicalOrder(nodes);
        const position = new Map(order.map((id, index) => [id, index]));
        for (const { id, deps } of nodes)
          for (const dep of deps ?? []) expect(position.get(dep)!).toBeLessThan(position.get(id)!);
        expect([...order].sort()).toEqual(nodes.map(({ id }) => id).sort());
        expect(topologicalOrder(order.map((id) => nodes.find((node) => node.id === id)!))).toEqual(order);
      }),
    );
  });

  it("takes of those that could come next always the first in the input", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        const done = new Set<string>();
        for (const id of topologicalOrder(nodes)) {
          expect(id).toBe(
            nodes.find((node) => !done.has(node.id) && (node.deps ?? []).every((dep) => done.has(dep)))!.id,
          );
          done.add(id);
        }
      }),
    );
  });

  it("does not exist for a cycle", () => {
    expect(() => topologicalOrder(buildDag({ a: ["b"], b: ["a"] }))).toThrow(
      new RangeError("a cyclic graph has no topological order"),
    );
  });

  it("takes neither deps that do not exist nor repeated ones into account", () => {
    expect(topologicalOrder([{ id: "a", deps: ["b", "b", "x"] }, { id: "b" }])).toEqual(["b", "a"]);
    expect(buildGraph([{ id: "a", deps: ["b", "b", "x"] }, { id: "b" }]).depTargets).toEqual(Int32Array.of(1));
  });

  it("means the first of two chunks with one id", () => {
    expect(buildGraph([{ id: "a" }, { id: "a" }, { id: "b", deps: ["a"] }]).depTargets).toEqual(Int32Array.of(0));
  });
});

describe("a cycle", () => {
  it("is found and told along the deps", () => {
    expect(findCycle(buildDag({ x: ["a"], a: ["b"], b: ["c"], c: ["a"] }))).toEqual(["a", "b", "c", "a"]);
    expect(findCycle(buildDag({ a: ["a"] }))).toEqual(["a", "a"]);
    expect(findCycle(diamond)).toBeNull();
  });

  it("is found once for each knot", () => {
    expect(findCycles(buildDag({ a: ["b"], b: ["a"], c: [], d: ["d", "a"], e: ["f"], f: ["e"] }))).toEqual([
      ["a", "b", "a"],
      ["d", "d"],
      ["e", "f", "e"],
    ]);
    expect(findCycles(buildDag({ a: ["a"], b: ["b"], c: ["c"] }), 2)).toHaveLength(2);
    expect(findCycles(buildDag({ a: ["b"], b: ["b"], c: ["a"] }))).toEqual([["b", "b"]]);
    expect(findCycles(buildDag({ a: ["b"], b: ["c", "d"], c: ["a"], d: ["a"] }))).toEqual([["a", "b", "c", "a"]]);
  });

  it("is found exactly when there is one, and is one", () => {
    const any = fc
      .array(fc.array(fc.nat({ max: 6 }), { maxLength: 3 }), { minLength: 1, maxLength: 7 })
      .map((deps) => deps.map((list, node) => ({ id: `n${node}`, deps: list.map((dep) => `n${dep}`) })));
    fc.assert(
      fc.property(any, (nodes) => {
        const cycle = findCycle(nodes);
        expect(cycle !== null).toBe(nodes.some(({ id }) => collectAncestors(nodes, id).has(id)));
        for (const [index, id] of (cycle ?? []).slice(0, -1).entries()) {
          expect(nodes.find((node) => node.id === id)!.deps).toContain(cycle![index + 1]);
        }
        expect(cycle?.at(-1)).toBe(cycle?.[0]);
      }),
    );
  });
});

describe("what can start", () => {
  it("has all its deps landed and has not landed itself", () => {
    expect(readySet(diamond, new Set())).toEqual(["base", "docs"]);
    expect(readySet(diamond, new Set(["base", "docs"]))).toEqual(["left", "right"]);
    expect(readySet(diamond, new Set(["base", "docs", "left"]))).toEqual(["right"]);
    expect(readySet(diamond, new Set(["base", "docs", "left", "right"]))).toEqual(["wire"]);
    expect(readySet(diamond, new Set(["base", "docs", "left", "right", "wire"]))).toEqual([]);
  });

  it("lands everything when it is landed again and again", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        const landed = new Set<string>();
        for (let round = 0; round < nodes.length && landed.size < nodes.length; round += 1) {
          for (const id of readySet(nodes, landed)) landed.add(id);
        }
        expect(landed.size).toBe(nodes.length);
      }),
    );
  });
});

describe("ancestors and descendants", () => {
  it("are what a chunk waits for and what waits for it", () => {
    expect([...descendants(diamond, "base")].sort()).toEqual(["left", "right", "wire"]);
    expect([...ancestors(diamond, "wire")].sort()).toEqual(["base", "left", "right"]);
    expect([...descendants(diamond, "left", "docs")]).toEqual(["wire"]);
    expect([...descendants(diamond, "nobody")]).toEqual([]);
    expect([...descendants(diamond, "left", "nobody")]).toEqual(["wire"]);
    expect(descendants(diamond, "base", "left")).toContain("left");
  });

  it("are each other's, and their own, where chunks wait for each other", () => {
    const ring = buildDag({ a: ["c"], b: ["a"], c: ["b"], d: ["a"] });
    expect([...descendants(ring, "a")].sort()).toEqual(["a", "b", "c", "d"]);
    expect([...ancestors(ring, "a")].sort()).toEqual(["a", "b", "c"]);
  });

  it("agree with the obvious answer", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        for (const { id } of nodes) {
          expect(ancestors(nodes, id)).toEqual(collectAncestors(nodes, id));
          expect(descendants(nodes, id)).toEqual(
            new Set(nodes.filter((node) => collectAncestors(nodes, node.id).has(id)).map((node) => node.id)),
          );
        }
      }),
    );
  });
});

describe("the critical path", () => {
  it("is the longest chain", () => {
    expect(criticalPath(diamond)).toEqual(["base", "left", "wire"]);
    expect(criticalPath([])).toEqual([]);
  });

  it("follows weights", () => {
    const weight = (id: string): number => (id === "right" ? 5 : id === "docs" ? 6.5 : 1);
    expect(criticalPath(diamond, weight)).toEqual(["base", "right", "wire"]);
    expect(criticalPath(diamond, (id) => (id === "docs" ? 9 : 1))).toEqual(["docs"]);
    expect(Object.fromEntries(remainingPathLengths(diamond, weight))).toEqual({
      wire: 1,
      left: 2,
      right: 6,
      base: 7,
      docs: 6.5,
    });
  });

  it("asks for the weight of each chunk once", () => {
    const asked: string[] = [];
    remainingPathLengths(diamond, (id) => asked.push(id));
    expect(asked.sort()).toEqual(["base", "docs", "left", "right", "wire"]);
  });

  it("is as long as the longest remaining path, and a chain of deps", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        const longest = (id: string): number =>
          1 + Math.max(0, ...nodes.filter((node) => node.deps?.includes(id)).map((node) => longest(node.id)));
        const lengths = remainingPathLengths(nodes);
        for (const { id } of nodes) expect(lengths.get(id)).toBe(longest(id));
        const path = criticalPath(nodes);
        expect(path).toHaveLength(Math.max(...lengths.values()));
        for (const [index, id] of path.slice(1).entries())
          expect(nodes.find((node) => node.id === id)!.deps).toContain(path[index]);
      }),
    );
  });
});

describe("the transitive reduction", () => {
  it("drops a dep that another one implies and says which", () => {
    const nodes = buildDag({ a: [], b: ["a"], c: ["a", "b"], d: ["c", "a", "b"] });
    expect(Object.fromEntries(transitiveReduction(nodes))).toEqual({ a: [], b: ["a"], c: ["b"], d: ["c"] });
    expect(findRedundantDeps(nodes)).toEqual([
      { chunk: "c", dep: "a", through: "b" },
      { chunk: "d", dep: "a", through: "c" },
      { chunk: "d", dep: "b", through: "c" },
    ]);
  });

  it("tells redundant deps in the order of the input, whatever is built first", () => {
    const nodes = buildDag({
      top: ["mid", "low"],
      end: ["mid2", "base"],
      mid: ["low"],
      mid2: ["base"],
      base: [],
      low: [],
    });
    expect(findRedundantDeps(nodes).map(({ chunk, dep }) => `${chunk} ${dep}`)).toEqual(["top low", "end base"]);
  });

  it("is the smallest graph with the same order", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        const reduced = [...transitiveReduction(nodes)].map(([id, deps]) => ({ id, deps }));
        for (const { id, deps } of reduced) {
          expect(collectAncestors(reduced, id)).toEqual(collectAncestors(nodes, id));
          for (const dep of deps) {
            const without = reduced.map((node) =>
              node.id === id ? { id, deps: deps.filter((other) => other !== dep) } : node,
            );
            expect(collectAncestors(without, id)).not.toContain(dep);
          }
        }
      }),
    );
  });
});

describe("many questions about order", () => {
  it("are answered as one by one", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        const questions = nodes.flatMap((_, node) => nodes.map((__, target) => ({ node, target })));
        expect(answerOrderQuestions(buildGraph(nodes), questions)).toEqual(
          questions.map(({ node, target }) => collectAncestors(nodes, nodes[node]!.id).has(nodes[target]!.id)),
        );
      }),
    );
  });

  it("are answered for a chunk that waits for none of a full block of targets", () => {
    const targets = Array.from({ length: 1024 }, (_, index) => ({ id: `n${index}` }));
    const graph = buildGraph([...targets, { id: "x" }, { id: "y", deps: ["x"] }]);
    const questions = targets.map((_, target) => ({ node: 1024, target }));
    expect(answerOrderQuestions(graph, questions)).not.toContain(true);
  });

  it("are answered across blocks of targets", () => {
    const nodes = Array.from({ length: 3000 }, (_, index) => ({
      id: `n${index}`,
      deps: index === 0 ? [] : [`n${index - 1}`],
    }));
    const questions = nodes.map((_, target) => ({ node: 1500, target }));
    expect(answerOrderQuestions(buildGraph(nodes), questions)).toEqual(nodes.map((_, target) => target < 1500));
  });
});

describe("stages", () => {
  it("hold chunks that do not wait for each other", () => {
    expect(listStages(diamond)).toEqual([["base", "docs"], ["left", "right"], ["wire"]]);
    expect(listStages([])).toEqual([]);
  });

  it("keep the input's order inside", () => {
    const nodes = buildDag({ late: ["b"], early: ["a"], a: [], b: [] });
    expect(topologicalOrder(nodes)).toEqual(["a", "early", "b", "late"]);
    expect(listStages(nodes)).toEqual([
      ["a", "b"],
      ["late", "early"],
    ]);
  });

  it("follow the longest chain above a chunk", () => {
    fc.assert(
      fc.property(dag, (nodes) => {
        for (const [stage, ids] of listStages(nodes).entries()) {
          for (const id of ids) {
            const depth = (node: string): number =>
              Math.max(0, ...(nodes.find((other) => other.id === node)!.deps ?? []).map((dep) => 1 + depth(dep)));
            expect(depth(id)).toBe(stage);
          }
        }
      }),
    );
  });
});
