/** What the graph needs to know of a chunk. */
export interface GraphNode {
  readonly id: string;
  readonly deps?: readonly string[];
}

/**
 * The DAG as integers: node `i` is the i-th chunk. `deps(i)` is
 * `depTargets.subarray(depStarts[i], depStarts[i + 1])`, dependents likewise. Deps that name no
 * chunk, and repeated ones, have no edge; of two chunks with one id the first is meant.
 */
export interface ChunkGraph {
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly depStarts: Int32Array;
  readonly depTargets: Int32Array;
  readonly dependentStarts: Int32Array;
  readonly dependentTargets: Int32Array;
}

/** Every function of this folder takes either form; build the graph once when asking several questions. */
export type GraphInput = ChunkGraph | readonly GraphNode[];

export function toGraph(input: GraphInput): ChunkGraph {
  return "indexOf" in input && !Array.isArray(input)
    ? (input as ChunkGraph)
    : buildGraph(input as readonly GraphNode[]);
}

export function buildGraph(chunks: readonly GraphNode[]): ChunkGraph {
  const ids = chunks.map((chunk) => chunk.id);
  const indexOf = new Map<string, number>();
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index]!;
    if (!indexOf.has(id)) indexOf.set(id, index);
  }
  const depStarts = new Int32Array(ids.length + 1);
  const targets: number[] = [];
  // lastSeen[t] = 1 + the node that listed t last, to drop repeated deps without a set per node.
  const lastSeen = new Int32Array(ids.length);
  for (let index = 0; index < chunks.length; index += 1) {
    for (const dep of chunks[index]!.deps ?? []) {
      const target = indexOf.get(dep);
      if (target === undefined || lastSeen[target] === index + 1) continue;
      lastSeen[target] = index + 1;
      targets.push(target);
    }
    depStarts[index + 1] = targets.length;
  }
  const depTargets = Int32Array.from(targets);
  return { ids, indexOf, depStarts, depTargets, ...reverseEdges(depStarts, depTargets) };
}

function reverseEdges(starts: Int32Array, targets: Int32Array) {
  const count = starts.length - 1;
  const dependentStarts = new Int32Array(count + 1);
  for (const target of targets) dependentStarts[target + 1]! += 1;
  for (let index = 0; index < count; index += 1) dependentStarts[index + 1]! += dependentStarts[index]!;
  const next = dependentStarts.slice();
  const dependentTargets = new Int32Array(targets.length);
  for (let index = 0; index < count; index += 1) {
    for (let edge = starts[index]!; edge < starts[index + 1]!; edge += 1) {
      const target = targets[edge]!;
      dependentTargets[next[target]!] = index;
      next[target]! += 1;
    }
  }
  return { dependentStarts, dependentTargets };
}
