import type { Captures } from "../../contracts/captures.ts";
import type { Change, FloorInput } from "../floor-input.ts";
import { buildTestFileMatcher } from "../test-files.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

/**
 * Gate 7: a chunk that requires tests adds or modifies a test file. A deleted or emptied file, and
 * one in which our counter finds no assertion at all, does not count.
 */
export function judgeRequiredTests(input: FloorInput): GateReport {
  const { scope, changes, config } = input;
  if (scope === null || !scope.requiresTests) return buildIdleReport(7, "not-configured", "tests are not required");
  const isTestFile = buildTestFileMatcher(config.tests.files);
  const touched = changes.filter((change) => isTestFile(change.path) || gainsAssertions(change, input));
  const counting = touched.filter((change) => holdsTests(change, input));
  const now = `${counting.length} test files changed`;
  if (counting.length > 0) return buildReport(7, "", now, []);
  const message =
    touched.length === 0
      ? "Tests are required, and no test file is added or modified."
      : "Tests are required, and the changed test files are deleted, empty or assert nothing.";
  return buildReport(7, "", now, [
    {
      gate: 7,
      rule: "no-test-change",
      message,
      was: "at least 1",
      now: "0",
      hint: "Add a test for what the chunk does.",
    },
  ]);
}

/** Tests that stand beside the code they test (Rust) show by their assertions. */
function gainsAssertions({ path, kind }: Change, input: FloorInput): boolean {
  // Where the configuration names the test files, its word holds.
  if (kind === "delete" || input.config.tests.files.length > 0) return false;
  const base = input.base ?? input.tip ?? input.baseline;
  const countIn = (captures: Captures): number => captures.assertions.find((entry) => entry.path === path)?.count ?? 0;
  return countIn(input.captures) > countIn(base);
}

function holdsTests(change: Change, { captures }: FloorInput): boolean {
  if (change.kind === "delete" || change.mode === "120000") return false;
  // The same text under another name is no new test.
  if (change.previousPath !== null && change.text !== undefined && change.text === change.previousText) return false;
  if (change.text !== undefined && change.text.trim() === "") return false;
  const counted = captures.assertions.find(({ path }) => path === change.path);
  return counted === undefined || counted.count > 0;
}
