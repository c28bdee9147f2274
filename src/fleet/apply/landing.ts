import { GitHubFailure } from "../../contracts/errors.ts";
import { formatCommitMessage } from "../../contracts/commit-message.ts";
import type { Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { buildLandingNote } from "../../messages/landing-note.ts";
import type { WorkOf } from "./work-of.ts";
import { loadTip } from "../observe/tip.ts";
import type { RunSession } from "../run-session.ts";

/**
 * Lands exactly the tree that was verified: a merge commit of the tip and the verified commit, whose
 * tree is the verified one. The non-forced update of the ref lets nothing be lost that was pushed on top of
 * the tip. It says nothing of a branch that was set back, which our commit would bring forward again as if
 * nobody had: so the branch is looked at just before.
 */
export async function applyLanding(session: RunSession, action: WorkOf<"LandChunks">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const { tip, verified, chunks, document, via } = action;
  const branch = formatBranch({ kind: "integration", run: state.run.run });
  const { tree } = await repository.loadCommit(verified);
  const landed = (commit: Sha): readonly Fact[] => [{ kind: "ChunksLanded", chunks, commit, tree, document, via }];
  const note = buildLandingNote(state, chunks);
  // By this trailer a lost store is read back from the history.
  const trailers = [...(note.trailers ?? []), ["Taskfleet-Chunks", chunks.join(" ")] as const];
  const message = formatCommitMessage({ ...note, trailers });
  const commit = await repository.createCommit({ tree, parents: [tip, verified], message });
  let head = await repository.loadBranch(branch);
  if (head === tip) {
    try {
      await repository.updateBranch(branch, commit);
      return landed(commit);
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.kind !== "conflict") throw error;
      head = await repository.loadBranch(branch);
      // A read that lags behind shows what was there before: there is nothing to learn from it yet.
      if (head === tip) throw error;
    }
  }
  const made = head === null ? null : await repository.loadCommit(head);
  // A crash after the ref moved: the commit's parents say what landed. With another tree somebody has amended it.
  if (head !== null && made?.tree === tree && made.parents[0] === tip && made.parents[1] === verified)
    return landed(head);
  const moved = await loadTip(session);
  // The first look lagged behind.
  if (moved.length === 0) throw new GitHubFailure("transient", `GitHub does not say yet where ${branch} is.`);
  return moved;
}
