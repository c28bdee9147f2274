import type { Captures, CommandCapture, TestReport } from "../contracts/captures.ts";
import type { GateNumber, Violation } from "../contracts/floor-result.ts";
import { describeExit } from "./describe-exit.ts";

/**
 * Why a test capture is no evidence: the report is missing, unreadable, announces another number
 * of tests than it holds, or disagrees with the exit status. Such a capture is never a pass.
 */
export function listTestProblems(tests: NonNullable<Captures["tests"]>): readonly string[] {
  const { capture, report } = tests;
  const problems = [...report.problems];
  if (report.announced !== null && report.announced !== report.cases.length)
    problems.push(`the report announces ${report.announced} tests and holds ${report.cases.length}`);
  if (capture.spawnError !== null || capture.timedOut || capture.signal !== null || capture.exit === null)
    problems.push(`the test command did not end by itself (${describeExit(capture)})`);
  else if (report.problems.length === 0) problems.push(...compareExit(capture, report));
  return problems;
}

function compareExit(capture: CommandCapture, report: TestReport): readonly string[] {
  const failed = report.cases.reduce((sum, test) => sum + (test.status === "failed" ? 1 : 0), 0);
  if (capture.exit === 0 && failed > 0)
    return [`the test command exits 0 though the report holds ${failed} failed tests`];
  if (capture.exit !== 0 && failed === 0)
    return [`the test command ends with exit ${capture.exit} though the report holds no failed test`];
  return [];
}

/** A gate that compares tests fails without usable test captures on both sides; gate 0 says what is wrong with them. */
export function listMissingEvidence(gate: GateNumber, captures: Captures, baseline: Captures): readonly Violation[] {
  const usable = [captures, baseline].every(({ tests }) => tests !== null && listTestProblems(tests).length === 0);
  if (usable) return [];
  return [{ gate, rule: "no-evidence", message: "Without usable test captures nothing can be compared (see gate 0)." }];
}
