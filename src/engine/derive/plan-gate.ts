/** What the search for a plan needs next. */
import { PLAN_LENSES, type PlanLens } from "../../contracts/names.ts";
import type { DraftPlan } from "../fact.ts";
import type { DraftState, RunState } from "../state.ts";
import { MAX_LOST_JOBS, MAX_VOID_REVIEWS } from "./unusual.ts";

export type PlanGate =
  | { readonly next: "draft"; readonly why: string }
  | { readonly next: "given"; readonly why: string }
  | { readonly next: "review"; readonly missing: readonly PlanLens[]; readonly why: string }
  | { readonly next: "commit"; readonly why: string }
  | { readonly next: "person"; readonly why: string };

/** A plan that is not valid is written once more; an agent that gives nothing likewise. */
const WRITE_TRIES = 2;

export function derivePlanGate(state: RunState): PlanGate {
  const { planning } = state;
  const { limits } = state.run.config;
  if (isPlanOverruled(state)) return { next: "commit", why: "A person overruled the plan's review" };
  if (planning.questions.length > 0) return { next: "person", why: "the planner asks questions" };
  if (planning.lost.length >= MAX_LOST_JOBS)
    return { next: "person", why: `planning jobs gave no result: ${planning.lost.at(-1) ?? ""}` };
  const given = planning.request === null ? state.run.given : undefined;
  const last = planning.drafts.at(-1);
  if (given !== undefined && last === undefined)
    return { next: "given", why: `Reading the plan that stands in the ${given.source}` };
  if (last === undefined)
    return {
      next: "draft",
      why: planning.request === null ? "Having a plan written" : "Having a new plan revision written",
    };
  if (last.outcome !== "valid" || last.draft === null) {
    // Nobody rewrites what a person wrote: they mend it, or ask the planner by `/replan`.
    if (given !== undefined) return { next: "person", why: `the plan in the ${given.source} is not valid` };
    const failures = countTrailingFailures(planning.drafts);
    if (failures >= WRITE_TRIES) return { next: "person", why: `the planner wrote no valid plan in ${failures} tries` };
    return { next: "draft", why: `Having the plan written again: ${last.problems[0] ?? "it was not valid"}` };
  }
  if (!needsPlanGate(last.draft)) return { next: "commit", why: "The plan is simple: no review needed" };
  const missing = PLAN_LENSES.filter((lens) => last.verdicts[lens] === undefined);
  const voided = missing.find((lens) => (last.voidVerdicts[lens] ?? 0) >= MAX_VOID_REVIEWS);
  if (voided !== undefined) return { next: "person", why: `no ${voided} reviewer gave a verdict that can be used` };
  if (missing.length > 0) return { next: "review", missing, why: "Having the plan reviewed" };
  if (PLAN_LENSES.every((lens) => last.verdicts[lens]?.outcome === "pass"))
    return { next: "commit", why: "All three plan reviewers passed the draft" };
  if (given !== undefined) return { next: "person", why: `the plan in the ${given.source} did not pass its reviewers` };
  const rounds = planning.drafts.filter((draft) => draft.outcome === "valid").length;
  if (rounds >= limits.plan_rounds)
    return { next: "person", why: `the plan did not pass its reviewers in ${rounds} rounds` };
  return { next: "draft", why: `Having the plan revised after round ${rounds} of its review` };
}

/**
 * Whether a person wants the last draft as it is, whatever reviewers find and whether or not they can be heard:
 * from then on no other one is written or reviewed.
 */
export function isPlanOverruled({ planning, overrides }: RunState): boolean {
  const last = planning.drafts.at(-1);
  return (
    last?.outcome === "valid" &&
    last.draft !== null &&
    overrides.some((one) => one.gate === "plan" && one.planning === planning.n)
  );
}

/** Two chunks or three files make a plan worth three reviewers. */
function needsPlanGate(draft: DraftPlan): boolean {
  const files = new Set(draft.chunks.flatMap((chunk) => chunk.files_touched));
  return draft.chunks.length >= 2 || files.size >= 3;
}

function countTrailingFailures(drafts: readonly DraftState[]): number {
  let count = 0;
  for (let index = drafts.length - 1; index >= 0 && drafts[index]?.outcome !== "valid"; index -= 1) count += 1;
  return count;
}
