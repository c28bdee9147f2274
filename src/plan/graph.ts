/** Questions about the DAG of chunks. */
export { buildGraph, type ChunkGraph, type GraphInput, type GraphNode } from "./graph/build-graph.ts";
export { type ChunkWeight, criticalPath, remainingPathLengths } from "./graph/critical-path.ts";
export { ancestors, descendants } from "./graph/descendants.ts";
export { findCycle, findCycles } from "./graph/find-cycle.ts";
export { readySet } from "./graph/ready-set.ts";
export {
  createScopeClaims,
  listFolders,
  overlapClasses,
  type ScopeClaims,
  type ScopedNode,
  scopesOverlap,
} from "./graph/scopes.ts";
export { listStages } from "./graph/stages.ts";
export { topologicalOrder } from "./graph/topological-order.ts";
export { findRedundantDeps, type RedundantDep, transitiveReduction } from "./graph/transitive-reduction.ts";
