import type { Violation } from "../../contracts/floor-result.ts";
import { judgeAssertions, type AssertionJudgement } from "../assertion-balance.ts";
import { listMissingEvidence } from "../capture-problems.ts";
import type { FloorInput } from "../floor-input.ts";
import { matchMovedTests, type MovedTests } from "../moved-tests.ts";
import { describeTest, indexCapturedTests, type DistinctTest } from "../test-identity.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

type Index = ReadonlyMap<string, DistinctTest>;

/**
 * Gate 4: no test is missing, renamed or newly skipped (also one that failed before), and no changed
 * test file lost assertions. Tests moved within the scope keep their names and count as the same.
 */
export function judgeGaming(input: FloorInput): GateReport {
  const { captures, baseline, tip, config } = input;
  if (config.test === undefined) return buildIdleReport(4, "not-configured", "no test command");
  const now = indexCapturedTests(captures);
  const known = mergeKnown(indexCapturedTests(baseline), indexCapturedTests(tip));
  const missing = [...known.values()].filter((test) => !now.has(test.key));
  const added = [...now.values()].filter((test) => !known.has(test.key));
  const moved = matchMovedTests(input, missing, added);
  const assertions = judgeAssertions(input, moved);
  const violations: Violation[] = [
    ...listMissingEvidence(4, captures, baseline),
    ...listMissing(missing, moved, assertions),
    ...listSkipped(known, now, moved),
    ...assertions.violations,
  ];
  const was = `${known.size} tests, ${countSkipped(known)} skipped`;
  return buildReport(4, was, `${now.size} tests, ${countSkipped(now)} skipped`, violations);
}

/** Tests of the baseline and of the tip; a test that ran in either counts as one that runs. */
function mergeKnown(baseline: Index, tip: Index): Index {
  if (tip.size === 0) return baseline;
  const known = new Map(baseline);
  for (const [key, test] of tip) {
    const before = known.get(key);
    if (before === undefined || before.status === "skipped") known.set(key, test);
  }
  return known;
}

function listMissing(
  missing: readonly DistinctTest[],
  moved: MovedTests,
  assertions: AssertionJudgement,
): readonly Violation[] {
  return missing.flatMap((test): readonly Violation[] => {
    const group = moved.groupOfTest.get(test.key);
    if (moved.matches.has(test.key) && group !== undefined && !assertions.fallenGroups.has(group)) return [];
    return [
      {
        gate: 4,
        rule: "missing-test",
        message: `The test ${describeTest(test.case)} is missing (a changed name counts as removed).`,
        ...(test.case.path === undefined ? {} : { path: test.case.path }),
        was: test.status,
        now: "missing",
        hint: "Keep the test under its name. A test that must go needs a person's decision.",
      },
    ];
  });
}

function listSkipped(known: Index, now: Index, moved: MovedTests): readonly Violation[] {
  const violations: Violation[] = [];
  for (const test of known.values()) {
    if (test.status === "skipped") continue;
    const current = now.get(test.key) ?? moved.matches.get(test.key);
    if (current?.status !== "skipped") continue;
    violations.push({
      gate: 4,
      rule: "newly-skipped",
      message: `The test ${describeTest(test.case)} ran before and is skipped now.`,
      ...(current.case.path === undefined ? {} : { path: current.case.path }),
      ...(current.case.path === undefined || current.case.line === undefined ? {} : { line: current.case.line }),
      was: test.status,
      now: "skipped",
    });
  }
  return violations;
}

function countSkipped(tests: Index): number {
  let skipped = 0;
  for (const test of tests.values()) if (test.status === "skipped") skipped += 1;
  return skipped;
}
