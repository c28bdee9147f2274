import { formatCommitMessage } from "../../contracts/commit-message.ts";
import { formatBranch } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import { buildPlanNote } from "../../messages/plan-note.ts";
import { loadTip } from "../observe/tip.ts";
import { createPlanTree, PLAN_HASH_TRAILER, preparePlan } from "../own-commits/plan-commit.ts";
import type { RunSession } from "../run-session.ts";
import type { WorkOf } from "./work-of.ts";

/** One commit: the plan, its page, the baseline it is measured against and who builds it. */
export async function applyPlan(session: RunSession, action: WorkOf<"CommitPlan">): Promise<readonly Fact[]> {
  const { state, repository } = session;
  const prepared = preparePlan(state);
  const tip = state.integration?.tip;
  if (prepared === null || prepared.rev !== action.rev || tip === undefined)
    throw new Error("a plan is committed only after its draft and the baseline");
  const moved = await loadTip(session);
  if (moved.length > 0) return moved;
  const tree = await createPlanTree(session, prepared, tip);
  const note = buildPlanNote(state, prepared.rev);
  const trailers = [...(note.trailers ?? []), [PLAN_HASH_TRAILER, prepared.hash] as const];
  const commit = await repository.createCommit({
    tree,
    parents: [tip],
    message: formatCommitMessage({ ...note, trailers }),
  });
  await repository.updateBranch(formatBranch({ kind: "integration", run: state.run.run }), commit);
  return [{ kind: "PlanCommitted", ...prepared, commit }];
}
