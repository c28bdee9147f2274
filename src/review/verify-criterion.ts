/** Verifies a reviewer's answer to one criterion. */
import { isBlank } from "../contracts/blank.ts";
import type { CriterionResult, VerifiedEvidence } from "../contracts/review-result.ts";
import type { Evidence, Verdict } from "../contracts/verdict.ts";
import { type EvidenceSource, locateEvidence } from "./locate-evidence.ts";
import { neutraliseModelText } from "./neutralise-model-text.ts";
import { isCommentOnly, isSkippedTest } from "./weigh-evidence.ts";

type Answer = Verdict["criteria"][number];
type Pass = Extract<Answer, { result: "pass" }>;
type TestEvidence = CriterionResult["tests"][number];

export interface CriterionSource extends EvidenceSource {
  readonly checks: ReadonlyArray<{ readonly index: number; readonly desc: string; readonly passed: boolean }>;
  readonly isTestFile: (path: string) => boolean;
}

export interface VerifiedCriterion {
  /** null when the answer cannot be believed. */
  readonly result: CriterionResult | null;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
}

/** @param text the criterion itself. */
export function verifyCriterion(answer: Answer, text: string, source: CriterionSource): VerifiedCriterion {
  return answer.result === "pass" ? verifyPass(answer, text, source) : verifyFail(answer, text, source);
}

function verifyPass(answer: Pass, text: string, source: CriterionSource): VerifiedCriterion {
  const name = `criterion ${answer.criterion}`;
  const reasons: string[] = [];
  const warnings: string[] = [];
  const implementation = locateAll(answer.implementation, source, `${name}, implementation`, reasons);
  const tests: TestEvidence[] = [];
  for (const cited of answer.tests) {
    if ("check" in cited) {
      const check = source.checks.find((one) => one.index === cited.check);
      if (check === undefined) reasons.push(`${name}: there is no check ${cited.check}`);
      else if (!check.passed) reasons.push(`${name}: check ${cited.check} did not pass on this commit`);
      else tests.push({ check: check.index, desc: check.desc });
    } else tests.push(...locateTest(cited, source, name, reasons));
  }
  if (reasons.length === 0 && implementation.every((one) => isCommentOnly(one.path, one.quote)))
    reasons.push(`${name}: only comments are cited as its implementation`);
  if (reasons.length > 0) return { result: null, reasons, warnings };
  if (!implementation.some((one) => one.changed))
    warnings.push(`Criterion ${answer.criterion} is proved by code that the change does not touch.`);
  return {
    result: { index: answer.criterion, criterion: text, result: "pass", implementation, tests },
    reasons,
    warnings,
  };
}

function verifyFail(
  answer: Extract<Answer, { result: "fail" }>,
  text: string,
  source: CriterionSource,
): VerifiedCriterion {
  const reasons: string[] = [];
  const where =
    answer.where === null
      ? null
      : (locateAll([answer.where], source, `criterion ${answer.criterion}`, reasons)[0] ?? null);
  for (const part of ["expected", "found"] as const) {
    if (isBlank(answer[part])) reasons.push(`criterion ${answer.criterion}: \`${part}\` says nothing`);
  }
  if (reasons.length > 0) return { result: null, reasons, warnings: [] };
  return {
    result: {
      index: answer.criterion,
      criterion: text,
      result: "fail",
      implementation: [],
      tests: [],
      expected: neutraliseModelText(answer.expected),
      found: neutraliseModelText(answer.found),
      where,
    },
    reasons,
    warnings: [],
  };
}

function locateTest(
  cited: Evidence,
  source: CriterionSource,
  name: string,
  reasons: string[],
): readonly VerifiedEvidence[] {
  const located = locateAll([cited], source, `${name}, test`, reasons);
  for (const one of located) {
    const place = `${name}: \`${one.path}\`:${one.start}`;
    if (!source.isTestFile(one.path)) reasons.push(`${place} is cited as a test but is no test file`);
    else if (isCommentOnly(one.path, one.quote)) reasons.push(`${place} is cited as a test but is a comment`);
    else if (isSkippedTest(one.quote)) reasons.push(`${place} is cited as a test but is skipped`);
  }
  return located;
}

function locateAll(
  cited: readonly Evidence[],
  source: EvidenceSource,
  name: string,
  reasons: string[],
): readonly VerifiedEvidence[] {
  const located: VerifiedEvidence[] = [];
  for (const one of cited) {
    const { evidence, problem } = locateEvidence(one, source);
    if (evidence === null) reasons.push(`${name}: ${problem}`);
    else located.push(evidence);
  }
  return located;
}
