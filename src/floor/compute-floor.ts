import type { FloorResult, Violation } from "../contracts/floor-result.ts";
import { deriveFloorConfig } from "./effective-config.ts";
import type { FloorInput } from "./floor-input.ts";
import { judgeChecks } from "./gates/checks.ts";
import { judgeCi } from "./gates/ci.ts";
import { judgeCommands } from "./gates/commands.ts";
import { judgeCoverage } from "./gates/coverage.ts";
import { judgeEnumeration } from "./gates/enumeration.ts";
import type { GateReport } from "./gates/gate-report.ts";
import { judgeGaming } from "./gates/no-gaming.ts";
import { judgeLint } from "./gates/no-new-lint.ts";
import { judgeRegressions } from "./gates/no-regression.ts";
import { judgeRequiredTests } from "./gates/requires-tests.ts";
import { judgeScope } from "./gates/scope.ts";
import { compareToolchains } from "./toolchain.ts";

const maxViolations = 200;

/** In gate order; every gate is computed, whatever the others found. */
const gates: ReadonlyArray<(input: FloorInput) => GateReport> = [
  judgeCommands,
  judgeChecks,
  judgeRegressions,
  judgeLint,
  judgeGaming,
  judgeEnumeration,
  judgeScope,
  judgeRequiredTests,
  judgeCoverage,
  judgeCi,
];

/**
 * The deterministic floor of one commit: all gates over the captures and the change. Violations are
 * facts with a place, never opinions; a gate that could not be computed says so and never passes.
 */
export function computeFloor(given: FloorInput): FloorResult {
  // Commands that the configuration leaves out are those detected at the fork commit.
  const input = { ...given, config: deriveFloorConfig(given.config, given.baseline.floor ?? {}) };
  const reports = gates.map((judge) => judge(input));
  const violations = reports.flatMap((report) => report.violations).sort(compareViolations);
  const changed = compareToolchains(input.baseline.toolchain, input.captures.toolchain) === "different";
  return {
    outcome: reports.some((report) => report.result.outcome === "fail") ? "fail" : "pass",
    gates: reports.map((report) => report.result),
    violations: violations.slice(0, maxViolations),
    more: Math.max(0, violations.length - maxViolations),
    ...(changed ? { toolchainChanged: { was: input.baseline.toolchain, now: input.captures.toolchain } } : {}),
  };
}

function compareViolations(a: Violation, b: Violation): number {
  return (
    a.gate - b.gate ||
    compare(a.path ?? "", b.path ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.rule, b.rule) ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
