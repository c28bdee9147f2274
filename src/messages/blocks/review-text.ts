import type { ReviewResult } from "../../contracts/review-result.ts";
import type { Links } from "../links.ts";
import { formatCount } from "../words/amounts.ts";
import { formatCriteriaTable } from "./criteria-table.ts";
import { listWarnings } from "./follow-ups.ts";
import { formatReviewFailures } from "./review-failures.ts";
import { formatSection, joinSections } from "./sections.ts";
import { cutText, formatSentence } from "./sentence.ts";

/** `PASS: all 5 criteria are met`, `FAIL: 1 of 5 criteria is not met, 2 blocking findings`. */
export function formatReviewVerdict(result: ReviewResult): string {
  if (result.outcome === "void")
    return `VOID: ${cutText(result.reasons[0] ?? "the verdict could not be believed", 150)}`;
  const total = result.criteria.length;
  const failed = result.criteria.filter((criterion) => criterion.result === "fail").length;
  const blocking = result.findings.filter((finding) => finding.severity === "blocking").length;
  if (result.outcome === "pass") return `PASS: all ${formatCount(total, "criterion", "criteria")} are met`;
  const parts = [
    ...(failed > 0 ? [`${failed} of ${formatCount(total, "criterion", "criteria")} not met`] : []),
    ...(blocking > 0 ? [formatCount(blocking, "blocking finding")] : []),
  ];
  return `FAIL: ${parts.length === 0 ? "the reviewer does not vouch for it" : parts.join(", ")}`;
}

/** The criteria with their evidence, what fails, what was let pass. The reviewer's own words are shown as text. */
export function formatReviewText(result: ReviewResult, links: Links, commit: string): string {
  if (result.outcome === "void") return formatReviewFailures(result, links, commit);
  return joinSections(
    formatCriteriaTable(result.criteria, links, commit),
    formatSection("#### What fails", formatReviewFailures(result, links, commit)),
    formatSection("#### Noticed, not blocking", listWarnings(result, links, commit, "").join("\n")),
    result.summary.trim() === "" ? "" : `> ${formatSentence(cutText(result.summary, 2000))}`,
  );
}
