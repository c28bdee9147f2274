/** Questions about the DAG of chunks. */
export { buildGraph, type GraphInput, type GraphNode } from "./graph/build-graph.ts";
export { criticalPath, remainingPathLengths } from "./graph/critical-path.ts";
export { ancestors, descendants } from "./graph/descendants.ts";
export { findCycle, findCycles } from "./graph/find-cycle.ts";
export { readySet } from "./graph/ready-set.ts";
export { createScopeClaims, listFolders, overlapClasses, scopesOverlap } from "./graph/scopes.ts";
export { listStages } from "./graph/stages.ts";
export { topologicalOrder } from "./graph/topological-order.ts";
export { findRedundantDeps, transitiveReduction } from "./graph/transitive-reduction.ts";
