import { type GraphInput, toGraph } from "./build-graph.ts";

/**
 * A cycle as ids in the direction of deps (`a` waits for the next one), first and last the same:
 * `["a", "b", "a"]`. `null` when the graph is acyclic.
 */
export function findCycle(input: GraphInput): readonly string[] | null {
  return findCycles(input, 1)[0] ?? null;
}

/**
 * Cycles, at most one for each group of chunks that wait for each other, in input order. The walk
 * is iterative: a chain of 100,000 chunks costs no stack.
 */
export function findCycles(input: GraphInput, limit = Number.POSITIVE_INFINITY): readonly (readonly string[])[] {
  const graph = toGraph(input);
  const count = graph.ids.length;
  const done = new Uint8Array(count);
  const positionOnPath = new Int32Array(count).fill(-1);
  const nextEdge = new Int32Array(count);
  const cycles: string[][] = [];
  for (let start = 0; start < count && cycles.length < limit; start += 1) {
    if (done[start] === 1) continue;
    const path = [start];
    positionOnPath[start] = 0;
    nextEdge[start] = graph.depStarts[start]!;
    let found = false;
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      const edge = nextEdge[node]!;
      if (found || edge === graph.depStarts[node + 1]) {
        done[node] = 1;
        positionOnPath[node] = -1;
        path.pop();
        continue;
      }
      nextEdge[node] = edge + 1;
      const target = graph.depTargets[edge]!;
      if (positionOnPath[target]! >= 0) {
        const loop = path.slice(positionOnPath[target]);
        cycles.push([...loop, target].map((member) => graph.ids[member]!));
        found = true;
      } else if (done[target] === 0) {
        positionOnPath[target] = path.length;
        nextEdge[target] = graph.depStarts[target]!;
        path.push(target);
      }
    }
  }
  return cycles;
}
