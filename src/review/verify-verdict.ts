/**
 * Evidence or nothing: what a reviewer says counts only as far as its quotes stand where it says. A
 * verdict that cannot be believed is void: the reviewer's failure, never a pass.
 */
import { isBlank } from "../contracts/blank.ts";
import type { CriterionResult, FindingResult, ReviewResult } from "../contracts/review-result.ts";
import { type Verdict, verdictSchema } from "../contracts/verdict.ts";
import { checkCoverage, formatFiles, listUnread } from "./check-coverage.ts";
import { locateEvidence, type ReviewedChange } from "./locate-evidence.ts";
import { neutraliseModelText } from "./neutralise-model-text.ts";
import { limitReasons, readVerdict } from "./read-verdict.ts";
import { verifyCriterion } from "./verify-criterion.ts";

export interface VerdictInput {
  /** What the agent returned: untrusted text. */
  readonly raw: string;
  /** The job and commit the verdict was asked for. */
  readonly job: string;
  readonly commit: string;
  /** See listCriteria (src/contracts). */
  readonly criteria: readonly string[];
  /** The plan checks that were run on this commit. */
  readonly checks: ReadonlyArray<{ readonly index: number; readonly desc: string; readonly passed: boolean }>;
  readonly changes: readonly ReviewedChange[];
  /** A file of the tree at the commit (preloaded), or null. */
  readonly readFile: (path: string) => string | null;
  readonly isTestFile: (path: string) => boolean;
  /** Whether the tree has such a file; asked for files that need not be preloaded. Absent: `readFile` knows. */
  readonly hasFile?: (path: string) => boolean;
  /** final-review: the plan's chunks. */
  readonly chunkIds?: readonly string[];
  /** final-review: a pass is void unless it names every changed file as read. */
  readonly coverage?: "complete";
}

export function verifyVerdict(input: VerdictInput): ReviewResult {
  const read = readVerdict(input.raw, verdictSchema);
  if (read.value === null) return { outcome: "void", reasons: read.reasons };
  const verdict = read.value;
  const reasons = [...checkIdentity(verdict, input), ...checkAnswers(verdict, input), ...checkResult(verdict)];
  const warnings: string[] = [];
  const criteria: CriterionResult[] = [];
  for (const answer of verdict.criteria) {
    const text = input.criteria[answer.criterion];
    if (text === undefined) continue;
    const verified = verifyCriterion(answer, text, input);
    reasons.push(...verified.reasons);
    warnings.push(...verified.warnings);
    if (verified.result !== null) criteria.push(verified.result);
  }
  const findings: FindingResult[] = [];
  for (const [index, finding] of verdict.findings.entries()) {
    const { evidence, problem } = locateEvidence(finding.where, input);
    if (finding.severity === "blocking" && (isBlank(finding.expected) || isBlank(finding.found)))
      reasons.push(`finding ${index} blocks without saying what was expected and found`);
    if (evidence === null) reasons.push(`finding ${index}: ${problem}`);
    else
      findings.push({
        severity: finding.severity,
        title: neutraliseModelText(finding.title),
        expected: neutraliseModelText(finding.expected),
        found: neutraliseModelText(finding.found),
        where: evidence,
      });
  }
  if (input.coverage === "complete" && verdict.result === "pass") reasons.push(...checkComplete(verdict, input));
  if (reasons.length > 0) return { outcome: "void", reasons: limitReasons(reasons) };
  warnings.push(...checkCoverage(verdict, criteria, input));
  return {
    outcome: verdict.result,
    criteria: criteria.sort((left, right) => left.index - right.index),
    findings,
    warnings,
    summary: neutraliseModelText(verdict.summary),
    chunks: (verdict.chunks ?? []).filter((chunk) => input.chunkIds?.includes(chunk) === true),
  };
}

function checkIdentity(verdict: Verdict, input: VerdictInput): readonly string[] {
  const reasons: string[] = [];
  if (verdict.job !== input.job) reasons.push(`the verdict is for job \`${verdict.job.slice(0, 200)}\``);
  if (verdict.commit !== input.commit) reasons.push(`the verdict is for commit \`${verdict.commit.slice(0, 64)}\``);
  return reasons;
}

/** No diff, no verdict: nobody vouches for what nobody has looked at. */
function checkComplete(verdict: Verdict, { changes }: VerdictInput): readonly string[] {
  // What is deleted or binary cannot be read; it is shown as a warning.
  const missed = listUnread(
    verdict,
    changes.filter((change) => change.isText),
  );
  return missed.length === 0 ? [] : [`it passes without having read ${formatFiles(missed)}`];
}

/** Every criterion is answered once. */
function checkAnswers(verdict: Verdict, input: VerdictInput): readonly string[] {
  const reasons: string[] = [];
  const answered = new Set<number>();
  for (const { criterion } of verdict.criteria) {
    if (criterion >= input.criteria.length) reasons.push(`there is no criterion ${criterion}`);
    else if (answered.has(criterion)) reasons.push(`criterion ${criterion} is answered twice`);
    answered.add(criterion);
  }
  input.criteria.forEach((_text, index) => {
    if (!answered.has(index)) reasons.push(`criterion ${index} is not answered`);
  });
  return reasons;
}

/** The result follows from the parts; one that contradicts them is no result. */
function checkResult(verdict: Verdict): readonly string[] {
  const failed = verdict.criteria.filter((answer) => answer.result === "fail").length;
  const blocking = verdict.findings.filter((finding) => finding.severity === "blocking").length;
  if (verdict.result === "pass" && failed + blocking > 0)
    return [`it says pass with ${failed} failed criteria and ${blocking} blocking findings`];
  if (verdict.result === "fail" && failed + blocking === 0)
    return ["it says fail without a failed criterion or a blocking finding"];
  return [];
}
