import { type ChunkGraph, type GraphInput, toGraph } from "./build-graph.ts";
import { MinHeap } from "./min-heap.ts";

/**
 * The chunks' ids so that every chunk comes after its deps. Among chunks that could come next the
 * first in the input goes first, so an input that is already ordered comes out unchanged.
 * @throws RangeError when the graph has a cycle (ask `findCycle` first where that is possible)
 */
export function topologicalOrder(input: GraphInput): readonly string[] {
  const graph = toGraph(input);
  const order = orderNodes(graph);
  if (order.length < graph.ids.length) throw new RangeError("a cyclic graph has no topological order");
  return Array.from(order, (node) => graph.ids[node]!);
}

/** The same as node numbers; nodes on or behind a cycle are missing from the result. */
export function orderNodes(graph: ChunkGraph): Int32Array {
  const waiting = new Int32Array(graph.ids.length);
  const ready = new MinHeap();
  for (let node = 0; node < waiting.length; node += 1) {
    waiting[node] = graph.depStarts[node + 1]! - graph.depStarts[node]!;
    if (waiting[node] === 0) ready.push(node);
  }
  const order = new Int32Array(waiting.length);
  let count = 0;
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    order[count] = node;
    count += 1;
    for (let edge = graph.dependentStarts[node]!; edge < graph.dependentStarts[node + 1]!; edge += 1) {
      const dependent = graph.dependentTargets[edge]!;
      waiting[dependent]! -= 1;
      if (waiting[dependent] === 0) ready.push(dependent);
    }
  }
  return order.subarray(0, count);
}
