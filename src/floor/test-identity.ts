/** Tests as a set: what the baseline, the gates and the plan's hashes agree on. */
import type { Captures, TestCase, TestReport } from "../contracts/captures.ts";

export type TestStatus = TestCase["status"];

/** One distinct test; several cases of one identity (retries, unnamed parameters) are folded into it. */
export interface DistinctTest {
  readonly key: string;
  readonly case: TestCase;
  readonly status: TestStatus;
}

/** The identity of a test: package, target kind, target, name. */
function formatTestKey(test: Pick<TestCase, "package" | "kind" | "target" | "name">): string {
  return `${test.package}\0${test.kind}\0${test.target}\0${test.name}`;
}

/** A test as people write it. */
export function describeTest(test: Pick<TestCase, "package" | "target" | "name">): string {
  return [test.package, test.target, test.name].filter((part) => part !== "").join(" › ");
}

/**
 * The distinct tests of a report. Of several cases with one identity a failure counts most, and a
 * pass more than a skip: a name used twice cannot hide a failure.
 */
function indexTests(report: TestReport): ReadonlyMap<string, DistinctTest> {
  const known = indexes.get(report);
  if (known !== undefined) return known;
  const index = buildIndex(report);
  indexes.set(report, index);
  return index;
}

/** Several gates ask for the same report's tests. */
const indexes = new WeakMap<TestReport, ReadonlyMap<string, DistinctTest>>();

function buildIndex(report: TestReport): ReadonlyMap<string, DistinctTest> {
  const tests = new Map<string, DistinctTest>();
  for (const test of report.cases) {
    const key = formatTestKey(test);
    const known = tests.get(key);
    if (known === undefined || weight[test.status] > weight[known.status])
      tests.set(key, { key, case: test, status: test.status });
  }
  return tests;
}

const weight: Readonly<Record<TestStatus, number>> = { skipped: 0, passed: 1, failed: 2 };

/** A further run with only those tests that ended otherwise than in the main run: all that flakiness needs. */
export function keepDifferences(main: TestReport, rerun: TestReport): TestReport {
  const known = indexTests(main);
  const cases = rerun.cases.filter((test) => known.get(formatTestKey(test))?.status !== test.status);
  return { problems: rerun.problems, announced: null, cases };
}

/** The distinct tests of captures; empty when there is no test capture. */
export function indexCapturedTests(captures: Captures | null): ReadonlyMap<string, DistinctTest> {
  const report = captures?.tests?.report;
  return report === undefined ? emptyIndex : indexTests(report);
}

const emptyIndex: ReadonlyMap<string, DistinctTest> = new Map();

/**
 * Tests that do not decide anything because they fail by chance: they pass in the baseline's main
 * run and fail, or are missing, in one of its further runs (or the other way round).
 */
export function deriveFlakyTests(baseline: Captures): ReadonlySet<string> {
  const flaky = new Set<string>();
  const main = indexCapturedTests(baseline);
  for (const rerun of baseline.tests?.reruns ?? []) {
    // A further run that could not be read says nothing about any test.
    if (rerun.problems.length > 0) continue;
    const again = indexTests(rerun);
    for (const [key, test] of main) {
      const other = again.get(key)?.status;
      if (other !== undefined && other !== test.status && (other === "failed" || test.status === "failed"))
        flaky.add(key);
    }
  }
  return flaky;
}
