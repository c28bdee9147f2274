import type { Sha } from "../../contracts/ids.ts";
import { formatBranch, formatEvidencePath } from "../../contracts/names.ts";
import type { Plan } from "../../contracts/plan.ts";
import { derivePlanCommit } from "../../engine/derive/plan-commit.ts";
import type { DraftPlan, Fact } from "../../engine/fact.ts";
import type { RunState } from "../../engine/state.ts";
import type { TreeChange } from "../../github/port.ts";
import { buildPlan, formatPlan } from "../../plan/build-plan.ts";
import { formatPlanHash } from "../../plan/plan-hash.ts";
import { assignAgents, compileRevision, formatExecutionPlan, renderPlanPage } from "../compile.ts";
import { listBeads } from "../mirror/list-beads.ts";
import type { RunSession } from "../run-session.ts";

/** The commit's message carries the plan's hash under this name. */
export const PLAN_HASH_TRAILER = "Taskfleet-Plan-Hash";

type PlanCommitted = Extract<Fact, { kind: "PlanCommitted" }>;

/** All that is said of the next revision but where it was committed. */
export type PreparedPlan = Omit<PlanCommitted, "kind" | "commit">;

/** The next revision, or null while there is none. */
export function preparePlan(state: RunState): PreparedPlan | null {
  const next = derivePlanCommit(state);
  const bound = state.baseline.bound;
  if (next === null || bound === null) return null;
  const { rev, draft, renewed } = next;
  const plan =
    renewed === null ? buildRevision(state, draft, rev) : { ...renewed.plan, plan_rev: rev, baseline: bound.baseline };
  const agents = renewed?.agents ?? assignAgents(state, draft);
  return { rev, plan, hash: formatPlanHash(plan, state.run.intent), draft, agents };
}

/** The tip's tree with the plan, its page, the baseline it is measured against and who builds it. */
export async function createPlanTree(session: RunSession, prepared: PreparedPlan, tip: Sha): Promise<Sha> {
  const { state, repository, fleet } = session;
  const { rev, plan, draft, agents } = prepared;
  const document = state.baseline.bound?.document ?? "";
  const captures = await fleet.store.loadDocument(document);
  if (captures === null) throw new Error(`the baseline's captures ${document} are not in the store`);
  const { run } = state.run;
  const file = (path: string, content: string): TreeChange => ({ path, mode: "100644", content });
  const base = await repository.loadCommit(tip);
  return repository.createTree(base.tree, [
    file(formatEvidencePath(run, { kind: "current-plan" }), formatPlan(plan)),
    file(formatEvidencePath(run, { kind: "plan", revision: rev }), formatPlan(plan)),
    file(formatEvidencePath(run, { kind: "baseline", revision: rev }), captures),
    file(
      formatEvidencePath(run, { kind: "execution-plan", revision: rev }),
      formatExecutionPlan(compileRevision(state, plan, draft, agents)),
    ),
    file(formatEvidencePath(run, { kind: "plan-page" }), renderPlanPage(state, plan, draft, agents)),
    ...listBeads(state, plan.chunks),
  ]);
}

/** The App writes versions, feature and baseline itself; the draft is trusted only for chunks and acceptance. */
function buildRevision(state: RunState, draft: DraftPlan, rev: number): Plan {
  const bound = state.baseline.bound;
  if (bound === null) throw new Error("a plan is committed only after its baseline");
  const { run, source } = state.run;
  return buildPlan(
    { chunks: draft.chunks, acceptance: draft.acceptance },
    {
      planRev: rev,
      intentRev: 1,
      feature: {
        slug: run.slice(run.indexOf("-") + 1),
        source_branch: source,
        integration_branch: formatBranch({ kind: "integration", run }),
      },
      baseline: bound.baseline,
    },
  );
}
