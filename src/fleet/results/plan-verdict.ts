import type { PlanLens } from "../../contracts/names.ts";
import type { Fact } from "../../engine/fact.ts";
import type { JobState } from "../../engine/state.ts";
import { verifyPlanVerdict } from "../../review/verify-plan-verdict.ts";
import type { RunSession } from "../run-session.ts";

export async function interpretPlanVerdict(
  session: RunSession,
  job: JobState,
  lens: PlanLens,
  text: string,
): Promise<readonly Fact[]> {
  const draft = session.state.planning.drafts.at(-1)?.draft ?? null;
  const result = verifyPlanVerdict(text, job.job, lens, draft?.chunks.map((chunk) => chunk.id) ?? []);
  if (result.outcome === "void")
    return [
      { kind: "PlanReviewed", job: job.job, lens, outcome: "void", findings: [], summary: result.reasons.join("; ") },
    ];
  return [
    {
      kind: "PlanReviewed",
      job: job.job,
      lens,
      outcome: result.outcome,
      findings: result.findings,
      summary: result.summary,
    },
  ];
}
