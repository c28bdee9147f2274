import type { Coverage } from "../../contracts/captures.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import { describeExit, exitedWith, tailOutput } from "../describe-exit.ts";
import type { FloorInput } from "../floor-input.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

const metrics = ["lines", "branches", "functions", "statements"] as const;

/**
 * Gate 8: the coverage command exits 0, and every percentage that the fork commit's
 * `.coverage-thresholds.json` demands is reached. The thresholds of the change itself never count.
 */
export function judgeCoverage(input: FloorInput): GateReport {
  const { captures, baseline, config } = input;
  const thresholds = baseline.thresholds ?? null;
  if (config.coverage === undefined && thresholds === null)
    return buildIdleReport(8, "not-configured", "no coverage command and no thresholds");
  const violations: Violation[] = [];
  if (thresholds?.problem !== undefined)
    violations.push({
      gate: 8,
      rule: "thresholds-unreadable",
      message: `The thresholds cannot be read: ${thresholds.problem}.`,
    });
  const { coverage } = captures;
  if (coverage === null) {
    violations.push({ gate: 8, rule: "coverage-missing", message: "Coverage is demanded and was not captured." });
    return buildReport(8, "", "", violations);
  }
  const expected = config.coverage?.command ?? baseline.coverage?.capture.command;
  if (expected !== undefined && coverage.capture.command !== expected)
    violations.push({
      gate: 8,
      rule: "coverage-other-command",
      message: "The coverage command that ran is not the configured one.",
      was: expected.slice(0, 200),
      now: coverage.capture.command.slice(0, 200),
    });
  if (!exitedWith(coverage.capture, 0))
    violations.push({
      gate: 8,
      rule: "coverage-failed",
      message: `The coverage command failed: ${describeExit(coverage.capture)}.`,
      was: "exit 0",
      now: describeExit(coverage.capture),
      hint: tailOutput(coverage.capture),
    });
  // Thresholds without a report are enforced by the command alone (its exit status).
  if (config.coverage !== undefined) violations.push(...judgeReport(coverage.report, input));
  return buildReport(8, summarize(baseline.coverage?.report), summarize(coverage.report), violations);
}

function judgeReport(report: Coverage, { baseline }: FloorInput): readonly Violation[] {
  if (report.problems.length > 0)
    return report.problems.map((problem) => ({
      gate: 8,
      rule: "coverage-capture",
      message: `The coverage report is no evidence: ${problem}.`,
    }));
  const thresholds = baseline.thresholds ?? {};
  return metrics.flatMap((metric): readonly Violation[] => {
    const least = thresholds[metric];
    const value = report[metric];
    if (least === undefined || (value !== null && value >= least)) return [];
    return [
      {
        gate: 8,
        rule: value === null ? "coverage-unknown" : "coverage-low",
        message:
          value === null
            ? `The coverage report says nothing about ${metric}; at least ${least} % are demanded.`
            : `${value} % of ${metric} are covered; at least ${least} % are demanded.`,
        was: `>= ${least} %`,
        now: value === null ? "unknown" : `${value} %`,
        hint: "Test what is not covered yet.",
      },
    ];
  });
}

function summarize(report: Coverage | undefined): string {
  if (report === undefined) return "";
  return metrics.flatMap((metric) => (report[metric] === null ? [] : [`${metric} ${report[metric]} %`])).join(", ");
}
