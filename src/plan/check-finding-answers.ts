import { isBlank } from "../contracts/blank.ts";
import type { FindingAnswer } from "../contracts/plan-draft.ts";
import type { Problem } from "../contracts/problem.ts";
import { formatFound, ProblemList } from "./problem-list.ts";

export interface FindingToAnswer {
  /** `F1`, `F2`, …, as the planner was told. */
  readonly id: string;
  readonly severity: "blocking" | "warning";
  readonly title: string;
}

/**
 * A revised draft answers each blocking finding of the round before, by a fix or by a rebuttal. Whether
 * the answer holds is for the next three reviewers, who see the plan and not the answer.
 */
export function checkFindingAnswers(
  answers: readonly FindingAnswer[],
  findings: readonly FindingToAnswer[],
): readonly Problem[] {
  const problems = new ProblemList();
  const known = new Set(findings.map((finding) => finding.id));
  const answered = new Set<string>();
  for (const [index, answer] of answers.entries()) {
    const path = ["answers", index];
    const found = formatFound(answer.finding);
    if (!known.has(answer.finding))
      problems.add([...path, "finding"], "finding-unknown", {
        message: `no finding is called ${found}`,
        found,
        allowed: findings.length === 0 ? "no answers: nothing was found" : [...known].join(", "),
      });
    else answered.add(answer.finding);
    const given = [answer.fix, answer.rebuttal].filter((text) => text !== undefined && !isBlank(text)).length;
    if (given !== 1)
      problems.add(path, "finding-answer", {
        message: `the answer to ${found} needs exactly one of "fix" (what changed) and "rebuttal" (why it does not hold)`,
        found: given === 0 ? "neither" : "both",
        allowed: '"fix" or "rebuttal"',
      });
  }
  for (const finding of findings) {
    if (finding.severity !== "blocking" || answered.has(finding.id)) continue;
    problems.add(["answers"], "finding-unanswered", {
      message: `the blocking finding ${finding.id} (${formatFound(finding.title)}) is neither fixed nor rebutted`,
      found: "no answer",
      allowed: `an answer for "${finding.id}"`,
    });
  }
  return problems.list();
}
