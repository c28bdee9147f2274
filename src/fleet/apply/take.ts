import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { makeBranch } from "./make-branch.ts";
import type { WorkOf } from "./work-of.ts";
import type { RunSession } from "../run-session.ts";

/** The branch a person pushes to: at the integration tip, or where an agent's attempts left it. */
export async function applyTake(session: RunSession, action: WorkOf<"PrepareTake">): Promise<readonly Fact[]> {
  const { repository, state } = session;
  const branch = formatBranch({ kind: "chunk", run: state.run.run, chunk: action.chunk });
  await makeBranch(repository, branch, action.base);
  return [{ kind: "TakePrepared", chunk: action.chunk, base: action.base, n: action.n }];
}
