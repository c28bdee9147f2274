import { type GraphInput, toGraph } from "./build-graph.ts";

/**
 * The chunks whose deps have all landed and which have not landed themselves, in input order.
 * Which of them may start now (scope, capacity, budget) is the scheduler's question.
 */
export function readySet(input: GraphInput, landed: ReadonlySet<string>): readonly string[] {
  const graph = toGraph(input);
  return graph.ids.filter((id, node) => {
    if (landed.has(id)) return false;
    const deps = graph.depTargets.subarray(graph.depStarts[node], graph.depStarts[node + 1]);
    return deps.every((dep) => landed.has(graph.ids[dep]!));
  });
}
