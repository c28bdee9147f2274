import { parseBranch } from "../../contracts/names.ts";
import { listOurBranches } from "../../engine/derive/branches.ts";
import type { Fact } from "../../engine/fact.ts";
import type { RunSession } from "../run-session.ts";
import type { WorkOf } from "./work-of.ts";

/**
 * With the run's own branch goes whatever a crash or a lost store let us forget. A branch beside ours whose
 * name is none that we give is a person's.
 */
export async function applyDeleteBranch(session: RunSession, action: WorkOf<"DeleteBranch">): Promise<readonly Fact[]> {
  const { repository, state } = session;
  const { branch } = action;
  if (parseBranch(branch)?.kind === "integration") {
    // Some wait until GitHub has marked their pull requests as merged: those are deleted in their own time.
    const waiting = listOurBranches(state).waiting.map((other) => other.branch);
    for (const other of await repository.loadBranches(`taskfleet/${state.run.run}/`))
      if (other !== branch && parseBranch(other) !== null && !waiting.includes(other))
        await repository.deleteBranch(other);
  }
  await repository.deleteBranch(branch);
  return [{ kind: "BranchDeleted", branch }];
}
