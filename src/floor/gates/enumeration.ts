import type { Captures } from "../../contracts/captures.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import { listMissingEvidence } from "../capture-problems.ts";
import { describeExit, exitedWith } from "../describe-exit.ts";
import type { FloorInput } from "../floor-input.ts";
import { matchMovedTests } from "../moved-tests.ts";
import { formatTargetKey, listTargets } from "../targets.ts";
import { indexCapturedTests } from "../test-identity.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

/**
 * Gate 5: every test target of the baseline and of the last verified tip is still there. A target
 * whose tests all moved within the scope counts as found. Without an enumeration command the targets
 * are those of the test report.
 */
export function judgeEnumeration(input: FloorInput): GateReport {
  const { captures, baseline, tip, config } = input;
  if (config.enumerate === undefined && config.test === undefined)
    return buildIdleReport(5, "not-configured", "no way to enumerate test targets");
  const evidence = config.enumerate === undefined ? listMissingEvidence(5, captures, baseline) : judgeEvidence(input);
  const known = new Map(
    [...listTargets(baseline), ...(tip === null ? [] : listTargets(tip))].map((target) => [
      formatTargetKey(target),
      target,
    ]),
  );
  const now = new Set(listTargets(captures).map(formatTargetKey));
  const missing = [...known].filter(([key]) => !now.has(key));
  const excused = missing.length === 0 ? new Set<string>() : findMovedTargets(input);
  const violations: readonly Violation[] = missing
    .filter(([key]) => !excused.has(key))
    .map(([, target]) => ({
      gate: 5,
      rule: "missing-target",
      message: `The test target ${[target.package, target.kind, target.target].filter((part) => part !== "").join(" ")} is no longer found.`,
      was: "found",
      now: "missing",
      hint: "Keep the file where the test runner finds it.",
    }));
  return buildReport(5, `${known.size} targets`, `${now.size} targets`, [...evidence, ...violations]);
}

function judgeEvidence({ captures, baseline, config }: FloorInput): readonly Violation[] {
  const violations: Violation[] = [];
  const { enumeration } = captures;
  if (enumeration === null)
    violations.push({
      gate: 5,
      rule: "enumeration-missing",
      message: "The enumeration is configured and was not captured.",
    });
  else if (enumeration.capture.command !== config.enumerate?.command)
    violations.push({
      gate: 5,
      rule: "enumeration-other-command",
      message: "The enumeration that ran is not the configured one.",
    });
  else
    violations.push(
      ...listProblems(enumeration).map((problem): Violation => ({
        gate: 5,
        rule: "enumeration-capture",
        message: `The enumeration is no evidence: ${problem}.`,
      })),
    );
  if (baseline.enumeration === null)
    violations.push({ gate: 5, rule: "baseline-missing", message: "The baseline holds no enumeration." });
  return violations;
}

function listProblems(enumeration: NonNullable<Captures["enumeration"]>): readonly string[] {
  const problems = [...(enumeration.problems ?? [])];
  if (!exitedWith(enumeration.capture, 0)) problems.push(describeExit(enumeration.capture));
  return problems;
}

/** Targets all of whose known tests are found again in files of the scope. */
function findMovedTargets(input: FloorInput): ReadonlySet<string> {
  const known = new Map([...indexCapturedTests(input.tip), ...indexCapturedTests(input.baseline)]);
  const now = indexCapturedTests(input.captures);
  const missing = [...known.values()].filter((test) => !now.has(test.key));
  const added = [...now.values()].filter((test) => !known.has(test.key));
  const { matches } = matchMovedTests(input, missing, added);
  const moved = new Set<string>();
  const left = new Set<string>();
  for (const test of known.values()) (matches.has(test.key) ? moved : left).add(formatTargetKey(test.case));
  return new Set([...moved].filter((key) => !left.has(key)));
}
