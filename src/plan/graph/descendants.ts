import { type GraphInput, toGraph } from "./build-graph.ts";

/** All chunks that wait for one of the given ones, directly or not; the given ones only if another of them leads there. */
export function descendants(input: GraphInput, ...from: readonly string[]): ReadonlySet<string> {
  const graph = toGraph(input);
  return collect(graph.ids, graph.indexOf, graph.dependentStarts, graph.dependentTargets, from);
}

/** All chunks the given ones wait for, directly or not. */
export function ancestors(input: GraphInput, ...from: readonly string[]): ReadonlySet<string> {
  const graph = toGraph(input);
  return collect(graph.ids, graph.indexOf, graph.depStarts, graph.depTargets, from);
}

function collect(
  ids: readonly string[],
  indexOf: ReadonlyMap<string, number>,
  starts: Int32Array,
  targets: Int32Array,
  from: readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const stack: number[] = [];
  for (const id of from) {
    const node = indexOf.get(id);
    if (node !== undefined) stack.push(node);
  }
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (let edge = starts[node]!; edge < starts[node + 1]!; edge += 1) {
      const id = ids[targets[edge]!]!;
      if (found.has(id)) continue;
      found.add(id);
      stack.push(targets[edge]!);
    }
  }
  return found;
}
