import type { Chunk } from "../../contracts/plan.ts";
import { foldPath } from "../../contracts/safe-path.ts";
import type { RegisteredAgent } from "./compile-context.ts";

/**
 * Each chunk's agent, or `null` where none fits: the one it is assigned to (if the registry still
 * has it), else the only one there is, else the one whose folders hold all the chunk's files, the
 * most specific first.
 */
export function deriveAssignments(
  chunks: readonly Chunk[],
  agents: readonly RegisteredAgent[],
  assignments: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, RegisteredAgent | null> {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  return new Map(
    chunks.map((chunk) => {
      const wanted = Object.hasOwn(assignments, chunk.id) ? assignments[chunk.id] : undefined;
      if (wanted !== undefined) return [chunk.id, byName.get(wanted) ?? null];
      return [chunk.id, agents.length === 1 ? agents[0]! : findByFolders(chunk, agents)];
    }),
  );
}

function findByFolders(chunk: Chunk, agents: readonly RegisteredAgent[]): RegisteredAgent | null {
  let best: RegisteredAgent | null = null;
  let bestDepth = -1;
  for (const agent of agents) {
    const depth = measureFit(chunk.files_touched, agent.paths);
    if (depth > bestDepth) [best, bestDepth] = [agent, depth];
  }
  return best;
}

/** -1 when a file lies outside; otherwise the length of the shortest folder that was needed. */
function measureFit(files: readonly string[], folders: readonly string[]): number {
  if (folders.length === 0) return -1;
  let shortest = Number.POSITIVE_INFINITY;
  for (const file of files.map(foldPath)) {
    const holding = folders
      .map(normaliseFolder)
      .filter((folder) => folder === "" || file === folder || file.startsWith(`${folder}/`));
    if (holding.length === 0) return -1;
    shortest = Math.min(shortest, Math.max(...holding.map((folder) => folder.length)));
  }
  return shortest;
}

/** `packages/web/`, `packages/web/**` and `./packages/web` mean the folder `packages/web`. */
function normaliseFolder(path: string): string {
  return foldPath(
    path
      .replace(/^\.\/?/, "")
      .replace(/\/?\*{1,2}$/, "")
      .replace(/\/+$/, ""),
  );
}
