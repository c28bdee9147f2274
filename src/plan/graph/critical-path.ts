import { type ChunkGraph, type GraphInput, toGraph } from "./build-graph.ts";
import { orderNodes } from "./topological-order.ts";

/** How much work a chunk is; the unit is the caller's. Every chunk counts 1 when absent. */
export type ChunkWeight = (id: string) => number;

/**
 * For each chunk the weight of the heaviest chain that begins with it and follows its dependents:
 * what remains to be done before the run can end once this chunk starts.
 */
export function remainingPathLengths(input: GraphInput, weight?: ChunkWeight): ReadonlyMap<string, number> {
  const graph = toGraph(input);
  const lengths = measureRemaining(graph, weight);
  return new Map(graph.ids.map((id, node) => [id, lengths[node]!]));
}

/** The heaviest chain from a chunk without deps to one without dependents, as ids in that order. */
export function criticalPath(input: GraphInput, weight?: ChunkWeight): readonly string[] {
  const graph = toGraph(input);
  const lengths = measureRemaining(graph, weight);
  const path: string[] = [];
  let node = findHeaviest(lengths, Array.from(graph.ids.keys()));
  while (node !== -1) {
    path.push(graph.ids[node]!);
    node = findHeaviest(lengths, listDependents(graph, node));
  }
  return path;
}

function listDependents(graph: ChunkGraph, node: number): Iterable<number> {
  return graph.dependentTargets.subarray(graph.dependentStarts[node], graph.dependentStarts[node + 1]);
}

function findHeaviest(lengths: Float64Array, nodes: Iterable<number>): number {
  let heaviest = -1;
  for (const node of nodes) if (heaviest === -1 || lengths[node]! > lengths[heaviest]!) heaviest = node;
  return heaviest;
}

function measureRemaining(graph: ChunkGraph, weight: ChunkWeight = () => 1): Float64Array {
  const lengths = new Float64Array(graph.ids.length);
  const order = orderNodes(graph);
  for (let position = order.length - 1; position >= 0; position -= 1) {
    const node = order[position]!;
    let longest = 0;
    for (const dependent of listDependents(graph, node)) longest = Math.max(longest, lengths[dependent]!);
    lengths[node] = longest + weight(graph.ids[node]!);
  }
  return lengths;
}
