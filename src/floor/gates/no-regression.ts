import { listMissingEvidence } from "../capture-problems.ts";
import type { FloorInput } from "../floor-input.ts";
import { deriveFlakyTests, describeTest, indexCapturedTests } from "../test-identity.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

/** Gate 2: no test that passes in the baseline, or passed at the last verified tip, fails now. */
export function judgeRegressions(input: FloorInput): GateReport {
  const { captures, baseline, tip, config } = input;
  if (config.test === undefined) return buildIdleReport(2, "not-configured", "no test command");
  const now = indexCapturedTests(captures);
  const before = indexCapturedTests(baseline);
  const landed = indexCapturedTests(tip);
  const flaky = deriveFlakyTests(baseline);
  const violations = [...listMissingEvidence(2, captures, baseline)];
  for (const [key, test] of now) {
    if (test.status !== "failed" || flaky.has(key)) continue;
    const passedIn =
      before.get(key)?.status === "passed"
        ? "the baseline"
        : landed.get(key)?.status === "passed"
          ? "the last verified tip"
          : null;
    if (passedIn === null) continue;
    violations.push({
      gate: 2,
      rule: "regression",
      message: `The test ${describeTest(test.case)} passes in ${passedIn} and fails now.`,
      ...(test.case.path === undefined ? {} : { path: test.case.path }),
      ...(test.case.path === undefined || test.case.line === undefined ? {} : { line: test.case.line }),
      was: "passed",
      now: "failed",
      ...(test.case.message === undefined ? {} : { hint: test.case.message.slice(0, 1000) }),
    });
  }
  return buildReport(2, countPassed(before), countPassed(now), violations);
}

function countPassed(tests: ReturnType<typeof indexCapturedTests>): string {
  let passed = 0;
  for (const test of tests.values()) if (test.status === "passed") passed += 1;
  return `${passed} of ${tests.size} pass`;
}
