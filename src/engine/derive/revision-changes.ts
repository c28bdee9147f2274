import { formatCanonicalJson } from "../../contracts/canonical-json.ts";
import { descendants } from "../../plan/graph.ts";
import type { Chunk, Plan } from "../../contracts/plan.ts";

export type ChunkChange = "unchanged" | "criteria" | "definition";

/**
 * What a revision means for chunks that both revisions have: a changed brief, files, deps, check
 * command or requires_tests (or standing downstream of such a chunk) makes it pending again; changed
 * assertions or check descriptions ask for a fresh floor and review; title and tier mean nothing.
 */
export function deriveRevisionChanges(former: Plan | null, next: Plan): ReadonlyMap<string, ChunkChange> {
  const changes = new Map<string, ChunkChange>();
  if (former === null) return changes;
  const old = new Map(former.chunks.map((chunk) => [chunk.id, chunk]));
  const redefined: string[] = [];
  for (const chunk of next.chunks) {
    const before = old.get(chunk.id);
    // A new chunk has no attempts, so nothing of it changes; what waits for it follows its deps.
    if (before === undefined) continue;
    if (formatDefinition(before) !== formatDefinition(chunk)) {
      changes.set(chunk.id, "definition");
      redefined.push(chunk.id);
    } else if (formatCriteria(before) !== formatCriteria(chunk)) changes.set(chunk.id, "criteria");
    else changes.set(chunk.id, "unchanged");
  }
  for (const id of descendants(next.chunks, ...redefined)) if (old.has(id)) changes.set(id, "definition");
  return changes;
}

/** What an implementer builds. */
export function formatDefinition(chunk: Chunk): string {
  return formatCanonicalJson({
    brief: chunk.brief,
    files: [...chunk.files_touched].sort(),
    deps: [...(chunk.deps ?? [])].sort(),
    checks: chunk.checks.map((check) => ({ run: check.run, cwd: check.cwd ?? "", exit: check.expect_exit ?? 0 })),
    requiresTests: chunk.requires_tests ?? false,
  });
}

/** What a reviewer judges beside the definition. */
function formatCriteria(chunk: Chunk): string {
  return formatCanonicalJson({ checks: chunk.checks.map((check) => check.desc), assertions: chunk.assertions ?? [] });
}
