import { formatCommitMessage, parseTrailer } from "../../contracts/commit-message.ts";
import { formatBranch, formatEvidencePath } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { RunState } from "../../engine/state.ts";
import { buildPlanNote } from "../../messages/plan-note.ts";
import { buildPlan, formatPlan } from "../../plan/build-plan.ts";
import { formatPlanHash } from "../../plan/plan-hash.ts";
import type { Plan } from "../../contracts/plan.ts";
import type { TreeChange } from "../../github/port.ts";
import type { WorkOf } from "./work-of.ts";
import { assignAgents, compileRevision, formatExecutionPlan, renderPlanPage } from "../compile.ts";
import { listBeads } from "../mirror/list-beads.ts";
import { loadTip } from "../observe/tip.ts";
import type { RunSession } from "../run-session.ts";

/** One commit: the plan, its page, the baseline it is measured against and who builds it. */
export async function applyPlan(session: RunSession, action: WorkOf<"CommitPlan">): Promise<readonly Fact[]> {
  const { state, repository, fleet } = session;
  const { rev } = action;
  const bound = state.baseline.bound;
  // A renewed baseline is committed with the newest plan as it is, also one that still waits for approval; a new
  // plan with its draft.
  const renewed = state.baseline.renewing && state.planning.done ? (state.revisions.at(-1) ?? null) : null;
  const draft = renewed?.draft ?? state.planning.drafts.at(-1)?.draft ?? null;
  const tip = state.integration?.tip;
  if (bound === null || draft === null || tip === undefined)
    throw new Error("a plan is committed only after its draft and the baseline");
  const plan =
    renewed === null ? buildRevision(state, rev) : { ...renewed.plan, plan_rev: rev, baseline: bound.baseline };
  const hash = formatPlanHash(plan, state.run.intent);
  const agents = renewed?.agents ?? assignAgents(state, draft);
  const moved = await loadTip(session);
  if (moved.length > 0) {
    const head = await repository.loadBranch(formatBranch({ kind: "integration", run: state.run.run }));
    const commit = head === null ? null : await repository.loadCommit(head);
    // A crash after the ref moved: the commit says which revision it is.
    if (head !== null && commit?.parents[0] === tip && parseTrailer(commit.message, "Taskfleet-Plan-Hash") === hash)
      return [{ kind: "PlanCommitted", rev, plan, hash, commit: head, draft, agents }];
    return moved;
  }
  const captures = await fleet.store.loadDocument(bound.document);
  if (captures === null) throw new Error(`the baseline's captures ${bound.document} are not in the store`);
  const { run } = state.run;
  const file = (path: string, content: string): TreeChange => ({ path, mode: "100644", content });
  const base = await repository.loadCommit(tip);
  const tree = await repository.createTree(base.tree, [
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
  const note = buildPlanNote(state, rev);
  const trailers = [...(note.trailers ?? []), ["Taskfleet-Plan-Hash", hash] as const];
  const commit = await repository.createCommit({
    tree,
    parents: [tip],
    message: formatCommitMessage({ ...note, trailers }),
  });
  await repository.updateBranch(formatBranch({ kind: "integration", run }), commit);
  return [{ kind: "PlanCommitted", rev, plan, hash, commit, draft, agents }];
}

/** The App writes versions, feature and baseline itself; the draft is trusted only for chunks and acceptance. */
function buildRevision(state: RunState, rev: number): Plan {
  const draft = state.planning.drafts.at(-1)?.draft;
  const bound = state.baseline.bound;
  if (draft === undefined || draft === null || bound === null) throw new Error("no draft");
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
