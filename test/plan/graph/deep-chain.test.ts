import { describe, expect, it } from "@jest/globals";
import {
  buildGraph,
  criticalPath,
  descendants,
  findCycle,
  findRedundantDeps,
  listStages,
  topologicalOrder,
  transitiveReduction,
} from "../../../src/plan/graph.ts";

describe("a chain of 100,000 chunks", () => {
  const chain = Array.from({ length: 100_000 }, (_, index) => ({
    id: `n${index}`,
    deps: index === 0 ? [] : [`n${index - 1}`],
  }));
  const graph = buildGraph(chain);

  it("is ordered, walked and measured without running out of stack", () => {
    expect(topologicalOrder(graph)).toHaveLength(100_000);
    expect(findCycle(graph)).toBeNull();
    expect(descendants(graph, "n0").size).toBe(99_999);
    expect(criticalPath(graph)).toHaveLength(100_000);
    expect(listStages(graph)).toHaveLength(100_000);
    expect(transitiveReduction(graph).get("n99999")).toEqual(["n99998"]);
  });

  it("that is closed to a ring is one cycle", () => {
    expect(findCycle(chain.map((node, index) => (index === 0 ? { ...node, deps: ["n99999"] } : node)))).toHaveLength(
      100_001,
    );
  });

  it("of 10,000 with a shortcut each has them all found", () => {
    const shortcuts = chain
      .slice(0, 10_000)
      .map((node, index) => (index < 2 ? node : { ...node, deps: [`n${index - 1}`, `n${index >> 1}`] }));
    // Both deps of n2 are n1, which is one dep.
    expect(findRedundantDeps(shortcuts)).toHaveLength(9_997);
  });
});
