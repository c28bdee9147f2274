import type { ChunkId, Sha } from "../../contracts/ids.ts";
import { parseTrailer } from "../../contracts/commit-message.ts";
import { formatBranch, formatEvidenceFolder } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { deriveNextAttempt } from "../../engine/derive/jobs.ts";
import { deriveActiveRevision } from "../../engine/derive/plan-progress.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import { buildProtectedPathFinder } from "../../floor/protected-paths.ts";
import { judgeProtectedChange } from "../../floor/protected-change.ts";
import type { Change } from "../../floor/floor-input.ts";
import { loadChanges } from "../results/load-changes.ts";
import type { RunSession } from "../run-session.ts";
import { findRow } from "../../engine/table.ts";

/**
 * Somebody else's push to a chunk's branch: an attempt by a person, judged like any other.
 * @param by who pushed, when a webhook said so.
 */
export async function observeChunkBranch(
  session: RunSession,
  id: ChunkId,
  by: string | null,
): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const chunk = findRow(state.chunks, id);
  const plan = deriveActiveRevision(state)?.plan;
  const definition = plan?.chunks.find((entry) => entry.id === id);
  const tip = state.integration?.tip;
  if (chunk === undefined || definition === undefined || tip === undefined || chunk.landed !== null || chunk.skipped)
    return [];
  const head = await repository.loadBranch(formatBranch({ kind: "chunk", run: state.run.run, chunk: id }));
  if (head === null || isKnown(chunk, head)) return [];
  const commit = await repository.loadCommit(head);
  // Our own commit whose fact a crash has swallowed.
  if (
    parseTrailer(commit.message, "Taskfleet-Run") === state.run.run &&
    parseTrailer(commit.message, "Taskfleet-Attempt")?.startsWith(`${id}/`) === true
  )
    return [];
  const { mergeBase } = await repository.loadComparison(tip, head);
  if (head === mergeBase) return [];
  const { changes, treePaths } = await loadChanges(repository, mergeBase, head, "");
  const problems = judgeChanges(state.run.config.protected, definition.files_touched, changes, treePaths === null);
  return [
    {
      kind: "PersonPushed",
      chunk: id,
      attempt: deriveNextAttempt(state, chunk),
      by: by ?? "somebody",
      base: mergeBase,
      head,
      tree: commit.tree,
      files: changes
        .filter((change) => !change.path.startsWith(`${formatEvidenceFolder(state.run.run)}/`))
        .map((change) => ({ path: change.path, kind: change.kind === "delete" ? "delete" : "write" })),
      problems,
    },
  ];
}

function isKnown(
  chunk: {
    readonly attempts: ReadonlyArray<{ readonly head: Sha | null; readonly base: Sha }>;
    readonly taken: { readonly base: Sha | null } | null;
  },
  head: Sha,
): boolean {
  return chunk.taken?.base === head || chunk.attempts.some((attempt) => attempt.head === head || attempt.base === head);
}

/** The same guard as for a change set, over a commit that exists already. */
function judgeChanges(
  patterns: readonly string[],
  declared: readonly string[],
  changes: readonly Change[],
  truncated: boolean,
): readonly Violation[] {
  if (truncated)
    return [
      { gate: 6, rule: "unknown", message: "GitHub does not list the whole tree, so the change cannot be checked." },
    ];
  const finder = buildProtectedPathFinder(patterns);
  const allowed = new Set(declared);
  const problems: Violation[] = [];
  for (const change of changes) {
    for (const { path, message } of judgeProtectedChange(change, finder, allowed))
      problems.push({ gate: 6, rule: "protected-file", path, message });
    if (change.mode === "160000" && change.kind !== "delete")
      problems.push({
        gate: 6,
        rule: "submodule",
        path: change.path,
        message: `${change.path} is a submodule; submodules are not taken.`,
      });
  }
  return problems.slice(0, 200);
}
