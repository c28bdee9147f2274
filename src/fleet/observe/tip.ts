import { formatBranch } from "../../contracts/names.ts";
import type { Sha } from "../../contracts/ids.ts";
import { findPassedCandidate, listVerified } from "../../engine/derive/landing-queue.ts";
import type { Fact } from "../../engine/fact.ts";
import type { RunState } from "../../engine/state.ts";
import type { RunSession } from "../run-session.ts";

/** A fact when the integration branch is not where we left it; none otherwise. */
export async function loadTip(session: RunSession): Promise<readonly Fact[]> {
  const { state, repository } = session;
  if (state.integration === null) return [];
  const branch = formatBranch({ kind: "integration", run: state.run.run });
  const head = await repository.loadBranch(branch);
  if (head === null) {
    // Ours to delete only at the end.
    if (state.merged !== null || state.cancelled !== null || state.ended !== null) return [];
    const known = state.lostBranches[branch];
    return known?.lost === true ? [] : [{ kind: "BranchLost", branch, n: (known?.n ?? 0) + 1 }];
  }
  if (head === state.integration.tip) return [];
  return [(await findOwnLanding(session, head)) ?? { kind: "TipMoved", sha: head }];
}

/**
 * A landing of ours whose answer was lost, or whose process died before it could note it: taken for somebody
 * else's push, what has landed would be built once more.
 */
async function findOwnLanding(session: RunSession, head: Sha): Promise<Fact | null> {
  const { state, repository } = session;
  const { tree, parents } = await repository.loadCommit(head);
  const [before, verified] = parents;
  if (before === undefined || verified === undefined || before !== state.integration?.tip) return null;
  const landing = findVerified(state, verified, before);
  // The very tree that was verified, or it is not the landing that was decided.
  if (landing === null || (await repository.loadCommit(verified)).tree !== tree) return null;
  return { kind: "ChunksLanded", commit: head, tree, ...landing };
}

/** What a landing of this commit on that tip would have brought. */
function findVerified(
  state: RunState,
  verified: Sha,
  tip: Sha,
): Pick<Extract<Fact, { kind: "ChunksLanded" }>, "chunks" | "document" | "via"> | null {
  const waiting = listVerified(state);
  const direct = waiting.find(({ attempt, head }) => head === verified && attempt.base === tip);
  if (direct !== undefined)
    return { chunks: [direct.chunk.id], document: direct.attempt.floor?.document ?? "", via: "direct" };
  const passed = findPassedCandidate(state, waiting, tip);
  if (passed === null || passed.candidate.commit !== verified) return null;
  return { chunks: passed.candidate.chunks, document: passed.document, via: "candidate" };
}
