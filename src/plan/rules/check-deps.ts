import { findCycles } from "../graph/find-cycle.ts";
import { formatFound, type ProblemList } from "../problem-list.ts";
import { suggestNearest } from "../suggest-nearest.ts";
import type { GraphNode } from "../graph/build-graph.ts";
import type { ChunkGraph } from "../graph/build-graph.ts";
import type { SoundChunk } from "./sound-plan.ts";

/** Every dep names a chunk. Forward references are fine. */
export function checkDepsExist(
  chunks: readonly (SoundChunk | undefined)[],
  known: ReadonlyMap<string, unknown>,
  problems: ProblemList,
): void {
  for (const [index, chunk] of chunks.entries()) {
    const deps = chunk?.deps;
    if (deps === undefined) continue;
    for (let position = 0; position < deps.length; position += 1) {
      const dep = deps[position];
      if (dep === undefined || known.has(dep)) continue;
      const found = formatFound(dep);
      const hint = suggestNearest(dep, known.keys());
      const message = `chunk ${formatFound(chunk?.id)} depends on ${found}, which is no chunk of this plan${hint}`;
      problems.add(["chunks", index, "deps", position], "dep-unknown", {
        message,
        found,
        allowed: listSome(known.keys()),
      });
    }
  }
}

const maxListed = 10;

function listSome(names: Iterable<string>): string {
  const all = [...names];
  const rest = all.length - maxListed;
  return `the id of a chunk: ${all.slice(0, maxListed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const maxShownInCycle = 20;

/** No chunk waits for itself. The cycle is printed along the deps: `a -> b` means a waits for b. */
export function checkAcyclic(graph: ChunkGraph, listName: string, depsKey: string, problems: ProblemList): void {
  for (const cycle of findCycles(graph)) {
    const [first, second] = cycle as readonly [string, string];
    const position = graph.indexOf.get(first)!;
    const found = formatCycle(cycle);
    problems.add([listName, position, depsKey], "dep-cycle", {
      message:
        first === second ? `${formatFound(first)} waits for itself: ${found}` : `these wait for each other: ${found}`,
      found,
      allowed: "deps without a cycle",
    });
  }
}

export function formatCycle(cycle: readonly string[]): string {
  if (cycle.length <= maxShownInCycle) return cycle.join(" -> ");
  const head = cycle.slice(0, maxShownInCycle - 3);
  const skipped = cycle.length - maxShownInCycle;
  return [...head, `… (${skipped} more)`, ...cycle.slice(-3)].join(" -> ");
}

/** The nodes whose id is known, without their unusable deps; positions stay. */
export function listNodes(chunks: readonly (SoundChunk | undefined)[]): readonly GraphNode[] {
  if (chunks.every(isWhole)) return chunks;
  return chunks.map((chunk, index) => ({
    // A NUL cannot occur in an id, so nobody refers to a chunk whose id is unusable.
    id: chunk?.id ?? `\0${index}`,
    deps: (chunk?.deps ?? []).filter((dep) => dep !== undefined),
  }));
}

function isWhole(chunk: SoundChunk | undefined): chunk is SoundChunk & GraphNode {
  return chunk?.id !== undefined && (chunk.deps === undefined || !chunk.deps.includes(undefined));
}
