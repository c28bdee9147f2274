/** Floor and review results as the App records them. */
import { listCriteria } from "../../src/contracts/criteria.ts";
import type { FloorResult, GateNumber, Violation } from "../../src/contracts/floor-result.ts";
import type { Chunk } from "../../src/contracts/plan.ts";
import type {
  CriterionResult,
  FindingResult,
  ReviewResult,
  VerifiedEvidence,
} from "../../src/contracts/review-result.ts";

export type Judged = Extract<ReviewResult, { outcome: "pass" | "fail" }>;

const GATES: readonly GateNumber[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

export const REGRESSION: Violation = {
  gate: 2,
  rule: "regression",
  message: "the test `adds amounts` passed before and fails now",
  path: "test/money.test.js",
  line: 12,
  was: "passed",
  now: "failed",
  hint: "run `npm test` on the branch to see it",
};

export const OUT_OF_SCOPE: Violation = {
  gate: 6,
  rule: "out-of-scope",
  message: "the file is not in the chunk's list",
  path: "src/table.js",
};

export function passFloor(): FloorResult {
  return {
    outcome: "pass",
    gates: GATES.map((gate) => ({
      gate,
      outcome: gate === 8 ? "not-configured" : gate === 9 ? "not-available" : "pass",
      was: gate === 2 ? "14 tests" : "",
      now: gate === 2 ? "17 tests" : "",
    })),
    violations: [],
    more: 0,
  };
}

export function failFloor(...violations: readonly Violation[]): FloorResult {
  const all = violations.length > 0 ? violations : [REGRESSION];
  const failed = new Set(all.map((violation) => violation.gate));
  return {
    outcome: "fail",
    gates: passFloor().gates.map((gate) => (failed.has(gate.gate) ? { ...gate, outcome: "fail" } : gate)),
    violations: all,
    more: 0,
  };
}

export function buildEvidence(path: string, start: number, end = start): VerifiedEvidence {
  return { path, start, end, quote: "const total = sum(entries);", changed: true };
}

/** A PASS for every criterion of the chunk. */
export function passReview(chunk: Chunk, change: Partial<Judged> = {}): Judged {
  return {
    outcome: "pass",
    criteria: listCriteria(chunk).map((criterion, index) => ({
      index,
      criterion,
      result: "pass",
      implementation: [buildEvidence(`src/${chunk.id}.js`, 3, 9)],
      tests: [{ check: 0, desc: chunk.checks[0]?.desc ?? "" }, buildEvidence(`test/${chunk.id}.test.js`, 5)],
    })),
    findings: [],
    warnings: [],
    summary: "Every criterion is met.",
    chunks: [],
    ...change,
  };
}

/** A FAIL: the last criterion is not met. */
export function failReview(chunk: Chunk, findings: readonly FindingResult[] = []): Judged {
  const passed = passReview(chunk);
  const last = passed.criteria.length - 1;
  const criteria = passed.criteria.map((criterion): CriterionResult =>
    criterion.index === last
      ? {
          index: criterion.index,
          criterion: criterion.criterion,
          result: "fail",
          implementation: [],
          tests: [],
          expected: "an empty input is refused with an error",
          found: "an empty input gives an empty list",
          where: buildEvidence(`src/${chunk.id}.js`, 7, 8),
        }
      : criterion,
  );
  return { ...passed, outcome: "fail", criteria, findings, summary: "One criterion is not met." };
}

export function voidReview(): ReviewResult {
  return { outcome: "void", reasons: ["the quote for criterion 1 is not at src/a.js:3"] };
}
