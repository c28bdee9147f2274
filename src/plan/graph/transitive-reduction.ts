import { hasAncestor, walkAncestorBlocks } from "./ancestor-blocks.ts";
import { type ChunkGraph, type GraphInput, toGraph } from "./build-graph.ts";
import { orderNodes } from "./topological-order.ts";

/** A dep that says nothing new, since `through` (another dep of the chunk) waits for it already. */
export interface RedundantDep {
  readonly chunk: string;
  readonly dep: string;
  readonly through: string;
}

/** For each chunk its deps without the redundant ones, in their order. The graph must be acyclic. */
export function transitiveReduction(input: GraphInput): ReadonlyMap<string, readonly string[]> {
  const graph = toGraph(input);
  const redundant = new Set(findRedundantEdges(graph).map((edge) => edge.edge));
  const reduced = new Map<string, readonly string[]>();
  for (let node = 0; node < graph.ids.length; node += 1) {
    const deps: string[] = [];
    for (let edge = graph.depStarts[node]!; edge < graph.depStarts[node + 1]!; edge += 1) {
      if (!redundant.has(edge)) deps.push(graph.ids[graph.depTargets[edge]!]!);
    }
    reduced.set(graph.ids[node]!, deps);
  }
  return reduced;
}

/** The redundant deps in input order. The graph must be acyclic. */
export function findRedundantDeps(input: GraphInput): readonly RedundantDep[] {
  const graph = toGraph(input);
  return findRedundantEdges(graph).map(({ node, edge, through }) => ({
    chunk: graph.ids[node]!,
    dep: graph.ids[graph.depTargets[edge]!]!,
    through: graph.ids[through]!,
  }));
}

interface RedundantEdge {
  readonly node: number;
  readonly edge: number;
  readonly through: number;
}

function findRedundantEdges(graph: ChunkGraph): readonly RedundantEdge[] {
  const found: RedundantEdge[] = [];
  const joins = listJoins(graph);
  const targets = listJoinDeps(graph, joins);
  for (const block of walkAncestorBlocks(graph, orderNodes(graph), targets)) {
    const offsetOf = new Map<number, number>();
    for (let offset = 0; offset < block.size; offset += 1) offsetOf.set(targets[block.first + offset]!, offset);
    for (const node of joins) {
      const deps = graph.depTargets.subarray(graph.depStarts[node], graph.depStarts[node + 1]);
      for (let position = 0; position < deps.length; position += 1) {
        const offset = offsetOf.get(deps[position]!);
        if (offset === undefined) continue;
        const through = deps.find((other) => hasAncestor(block, other, offset));
        if (through !== undefined) found.push({ node, edge: graph.depStarts[node]! + position, through });
      }
    }
  }
  return found.sort((a, b) => a.edge - b.edge);
}

/** Nodes with at least two deps: only they can have a redundant one. */
function listJoins(graph: ChunkGraph): readonly number[] {
  return Array.from(graph.ids.keys()).filter((node) => graph.depStarts[node + 1]! - graph.depStarts[node]! > 1);
}

function listJoinDeps(graph: ChunkGraph, joins: readonly number[]): Int32Array {
  const targets = new Set<number>();
  for (const node of joins) {
    for (const dep of graph.depTargets.subarray(graph.depStarts[node], graph.depStarts[node + 1])) targets.add(dep);
  }
  return Int32Array.from(targets);
}
