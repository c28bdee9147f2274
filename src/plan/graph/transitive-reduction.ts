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
  const { depStarts, depTargets, dependentStarts, dependentTargets } = graph;
  const found: RedundantEdge[] = [];
  for (const block of walkAncestorBlocks(graph, orderNodes(graph), markJoinDeps(graph))) {
    for (const [bit, target] of block.targets.entries()) {
      for (const node of dependentTargets.subarray(dependentStarts[target], dependentStarts[target + 1])) {
        const deps = depTargets.subarray(depStarts[node], depStarts[node + 1]);
        const through = deps.find((other) => hasAncestor(block, other, bit));
        if (through !== undefined) found.push({ node, edge: depStarts[node]! + deps.indexOf(target), through });
      }
    }
  }
  return found.sort((a, b) => a.edge - b.edge);
}

/** Only among two deps or more can one be redundant. */
function markJoinDeps(graph: ChunkGraph): Uint8Array {
  const marks = new Uint8Array(graph.ids.length);
  for (let node = 0; node < graph.ids.length; node += 1) {
    const deps = graph.depTargets.subarray(graph.depStarts[node], graph.depStarts[node + 1]);
    if (deps.length > 1) for (const dep of deps) marks[dep] = 1;
  }
  return marks;
}
