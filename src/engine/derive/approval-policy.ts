import { buildProtectedPathFinder } from "../../floor/protected-paths.ts";
import { deriveCheckpoint } from "./checkpoints.ts";
import { isPlanOverruled } from "./plan-gate.ts";
import type { PlanRevision, RunState } from "../state.ts";

/** Whether a person must approve a revision, and why (or why not). */
export function deriveApprovalPolicy(
  state: RunState,
  proposal: PlanRevision,
): { readonly person: boolean; readonly why: string } {
  const policy = state.run.config.plan.approval;
  const { given } = state.run;
  // The first revision is theirs; later ones were asked for by people who may.
  if (given !== undefined && !given.writer && proposal.rev === 1)
    return { person: true, why: `the plan stands in an issue by \`${given.by}\`, who has no write access` };
  if (policy === "human") return { person: true, why: "the approval policy is `human`" };
  const unconfigured = state.baseline.bound?.unconfigured ?? [];
  if (unconfigured.length > 0)
    return { person: true, why: `the floor cannot check everything here (${unconfigured.join(", ")})` };
  if (proposal.draft.unassignable.length > 0) return { person: true, why: "some chunks fit no agent" };
  const finder = buildProtectedPathFinder(state.run.config.protected);
  const protectedPath = proposal.plan.chunks
    .flatMap((chunk) => chunk.files_touched)
    .find((path) => finder(path) !== null);
  if (protectedPath !== undefined)
    return { person: true, why: `it may change the protected file \`${protectedPath}\`` };
  const former = state.approved;
  // Only the baseline was captured again: what was approved is what is built.
  if (former !== null && former.hash === proposal.hash)
    return { person: false, why: `its chunks are those of revision ${former.rev}` };
  // Who overrules reviewers wants the draft, and has promised nobody to build it.
  if (isPlanOverruled(state)) return { person: true, why: "its review was overruled" };
  if (policy === "auto") return { person: false, why: "the approval policy is `auto`" };
  const { complexity, ambiguities } = proposal.draft.task_brief;
  if (complexity === "high") return { person: true, why: "the task is complex" };
  if (ambiguities.length > 0 || proposal.draft.open_questions.length > 0)
    return { person: true, why: "something in the task is ambiguous" };
  const stop = proposal.plan.chunks
    .map((chunk) => deriveCheckpoint(proposal, state.run.config.checkpoints, chunk))
    .find((reason) => reason !== null);
  if (stop !== undefined) return { person: true, why: `it has a checkpoint: ${stop}` };
  return { person: false, why: "the approval policy is `risk` and nothing risky is in the plan" };
}
