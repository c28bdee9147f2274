import { GitHubFailure } from "../../contracts/errors.ts";
import type { Sha } from "../../contracts/ids.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { RunState } from "../../engine/state.ts";
import { findOwnCommit } from "../own-commits/find-own-commit.ts";
import type { RunSession } from "../run-session.ts";

export interface TipReading {
  /** Where GitHub shows the integration branch; null = nowhere. */
  readonly head: Sha | null;
  /** None while the branch is where we left it, or may be. */
  readonly facts: readonly Fact[];
  /** GitHub may be showing where it was before. */
  readonly unclear: boolean;
}

/** A fact when the integration branch is not where we left it; none while it is, or may be. */
export async function observeTip(session: RunSession): Promise<readonly Fact[]> {
  return (await readTip(session)).facts;
}

/**
 * For what is about to be put on the tip.
 * @throws GitHubFailure transient while GitHub may be showing where the branch was before: built upon the tip we know,
 *   a branch that a person has set back would be brought forward again as if nobody had.
 */
export async function loadTip(session: RunSession): Promise<readonly Fact[]> {
  const { facts, unclear } = await readTip(session);
  if (unclear) throw new GitHubFailure("transient", "GitHub does not say yet where the integration branch is.");
  return facts;
}

export async function readTip(session: RunSession): Promise<TipReading> {
  const { state, repository, fleet } = session;
  if (state.integration === null) return { head: null, facts: [], unclear: false };
  const branch = formatBranch({ kind: "integration", run: state.run.run });
  // Before the question: the answer may be long on its way.
  const asked = fleet.clock.now();
  const head = await repository.loadBranch(branch);
  const clear = (...facts: readonly Fact[]): TipReading => ({ head, facts, unclear: false });
  if (head === null) {
    // Ours to delete only at the end.
    if (state.merged !== null || state.cancelled !== null || state.ended !== null) return clear();
    const known = state.lostBranches[branch];
    return known?.lost === true ? clear() : clear({ kind: "BranchLost", branch, n: (known?.n ?? 0) + 1 });
  }
  if (head === state.integration.tip) return clear();
  if (await mayLag(session, { ...state.integration, head, asked })) return { head, facts: [], unclear: true };
  const own = await findOwnCommit(session, head);
  const moved: Fact = { kind: "TipMoved", sha: head };
  if (own === null) return clear(moved);
  return own.commit === head ? clear(own) : clear(own, moved);
}

/**
 * Whether it may be the answer of a replica that has not heard of the newest moves: agents would be sent out without
 * what their chunks build on, or, after a person set the branch back, on top of what was just removed. Where it was
 * known to be is told by its name, whichever way it moved since; what was pushed and never seen, by its being behind.
 */
async function mayLag(
  { repository, fleet }: RunSession,
  {
    head,
    asked,
    tip,
    movedAt,
    left,
  }: NonNullable<RunState["integration"]> & { readonly head: Sha; readonly asked: number },
): Promise<boolean> {
  const isRecent = (at: number): boolean => asked < at + fleet.timing.staleReadMs;
  if (left.some((former) => former.sha === head && isRecent(former.at))) return true;
  return isRecent(movedAt) && (await repository.loadComparison(tip, head)).status === "behind";
}
