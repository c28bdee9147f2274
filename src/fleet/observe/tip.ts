import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { RunSession } from "../run-session.ts";

/** A fact when the integration branch is not where we left it; none otherwise. */
export async function loadTip(session: RunSession): Promise<readonly Fact[]> {
  const { state, repository } = session;
  if (state.integration === null) return [];
  const head = await repository.loadBranch(formatBranch({ kind: "integration", run: state.run.run }));
  if (head === null || head === state.integration.tip) return [];
  return [{ kind: "TipMoved", sha: head }];
}
