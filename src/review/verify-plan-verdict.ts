import { isBlank } from "../contracts/blank.ts";
import type { PlanLens } from "../contracts/names.ts";
import type { PlanReviewResult } from "../contracts/review-result.ts";
import { planVerdictSchema } from "../contracts/verdict.ts";
import { neutraliseModelText } from "./neutralise-model-text.ts";
import { limitReasons, readVerdict } from "./read-verdict.ts";

/**
 * A plan reviewer's verdict: for this job and lens, about chunks the plan has, with a result that
 * follows from its findings. A void one is the reviewer's failure.
 * @param raw what the agent returned: untrusted text.
 */
export function verifyPlanVerdict(
  raw: string,
  job: string,
  lens: PlanLens,
  chunkIds: readonly string[],
): PlanReviewResult {
  const read = readVerdict(raw, planVerdictSchema);
  if (read.value === null) return { outcome: "void", reasons: read.reasons };
  const verdict = read.value;
  const reasons: string[] = [];
  if (verdict.job !== job) reasons.push(`the verdict is for job \`${verdict.job.slice(0, 200)}\``);
  if (verdict.lens !== lens) reasons.push(`the verdict is by the lens ${verdict.lens}, ${lens} was asked`);
  const blocking = verdict.findings.filter((finding) => finding.severity === "blocking").length;
  if (verdict.result === "pass" && blocking > 0) reasons.push(`it says pass with ${blocking} blocking findings`);
  if (verdict.result === "fail" && blocking === 0) reasons.push("it says fail without a blocking finding");
  const findings = verdict.findings.map((finding, index) => {
    const title = neutraliseModelText(finding.title);
    const evidence = neutraliseModelText(finding.evidence);
    if (finding.chunk !== "" && !chunkIds.includes(finding.chunk))
      reasons.push(`finding ${index} is about \`${finding.chunk}\`, which the plan does not have`);
    if (isBlank(title)) reasons.push(`finding ${index} has no title`);
    if (isBlank(evidence)) reasons.push(`finding ${index} has no evidence`);
    return { severity: finding.severity, chunk: finding.chunk, title, evidence };
  });
  if (reasons.length > 0) return { outcome: "void", reasons: limitReasons(reasons) };
  return { outcome: verdict.result, findings, summary: neutraliseModelText(verdict.summary) };
}
