import { GitHubFailure } from "../../contracts/errors.ts";
import type { Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { findOwnCommit } from "../own-commits/find-own-commit.ts";
import type { RunSession } from "../run-session.ts";

/** A fact when the integration branch is not where we left it; none while it is, or may be. */
export async function observeTip(session: RunSession): Promise<readonly Fact[]> {
  const reading = await readTip(session);
  return reading === "unclear" ? [] : reading;
}

/**
 * For what is about to be put on the tip.
 * @throws GitHubFailure transient while GitHub may be showing where the branch was before: built upon the tip we know,
 *   a branch that a person has set back would be brought forward again as if nobody had.
 */
export async function loadTip(session: RunSession): Promise<readonly Fact[]> {
  const reading = await readTip(session);
  if (reading === "unclear")
    throw new GitHubFailure("transient", "GitHub does not say yet where the integration branch is.");
  return reading;
}

async function readTip(session: RunSession): Promise<readonly Fact[] | "unclear"> {
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
  const { tip, movedAt } = state.integration;
  if (head === tip) return [];
  const own = await findOwnCommit(session, head);
  if (own !== null) return [own];
  return (await mayLag(session, { head, tip, movedAt })) ? "unclear" : [{ kind: "TipMoved", sha: head }];
}

/** Whether it may be the answer of a replica that has not heard of the newest move: agents would be sent out without what their chunks build on. */
async function mayLag(
  { repository, fleet }: RunSession,
  { head, tip, movedAt }: { readonly head: Sha; readonly tip: Sha; readonly movedAt: number },
): Promise<boolean> {
  if (fleet.clock.now() >= movedAt + fleet.timing.staleReadMs) return false;
  return (await repository.loadComparison(tip, head)).status === "behind";
}
