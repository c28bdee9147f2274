import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
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
  return [{ kind: "TipMoved", sha: head }];
}
