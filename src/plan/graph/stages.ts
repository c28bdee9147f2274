import { type GraphInput, toGraph } from "./build-graph.ts";
import { orderNodes } from "./topological-order.ts";

/**
 * The chunks by the length of the longest chain of deps above them: a stage's chunks wait for no
 * other of the same stage. Within a stage in input order. The graph must be acyclic.
 */
export function listStages(input: GraphInput): readonly (readonly string[])[] {
  const graph = toGraph(input);
  const depth = new Int32Array(graph.ids.length);
  const stages: number[][] = [];
  for (const node of orderNodes(graph)) {
    for (const dep of graph.depTargets.subarray(graph.depStarts[node], graph.depStarts[node + 1])) {
      depth[node] = Math.max(depth[node]!, depth[dep]! + 1);
    }
    (stages[depth[node]!] ??= []).push(node);
  }
  return stages.map((nodes) => nodes.sort((a, b) => a - b).map((node) => graph.ids[node]!));
}
