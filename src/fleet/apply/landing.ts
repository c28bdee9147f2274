import { formatCommitMessage } from "../../contracts/commit-message.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { buildLandingNote } from "../../messages/landing-note.ts";
import type { WorkOf } from "./work-of.ts";
import { loadTip } from "../observe/tip.ts";
import type { RunSession } from "../run-session.ts";

/**
 * Lands exactly the tree that was verified: a merge commit of the tip and the verified commit, whose
 * tree is the verified one. The ref moves by a non-forced update, so nothing can come in between.
 */
export async function applyLanding(session: RunSession, action: WorkOf<"LandChunks">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { tip, verified, chunks, document, via } = action;
  const branch = formatBranch({ kind: "integration", run: state.run.run });
  const head = await repository.loadBranch(branch);
  if (head !== tip) {
    const commit = head === null ? null : await repository.loadCommit(head);
    // A crash after the ref moved: the commit's parents say what landed.
    if (head !== null && commit !== null && commit.parents[0] === tip && commit.parents[1] === verified)
      return [{ kind: "ChunksLanded", chunks, commit: head, tree: commit.tree, document, via }];
    return loadTip(session);
  }
  const { tree } = await repository.loadCommit(verified);
  const note = buildLandingNote(state, chunks);
  // By this trailer a lost store is read back from the history.
  const trailers = [...(note.trailers ?? []), ["Taskfleet-Chunks", chunks.join(" ")] as const];
  const message = formatCommitMessage({ ...note, trailers });
  const commit = await repository.createCommit({ tree, parents: [tip, verified], message });
  await repository.updateBranch(branch, commit);
  return [{ kind: "ChunksLanded", chunks, commit, tree, document, via }];
}
