import type { Captures, LintFinding } from "../../contracts/captures.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import { listChangedPaths } from "../changed-paths.ts";
import { describeExit, tailOutput } from "../describe-exit.ts";
import type { FloorInput } from "../floor-input.ts";
import { formatLintKey } from "../lint-identity.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

/**
 * Gate 3: the linter reports nothing that it did not report in the baseline or at the last verified
 * tip, and the changed files hold no more suppressions than before. The second half needs no linter.
 */
export function judgeLint(input: FloorInput): GateReport {
  const { captures, baseline, config } = input;
  const suppressions = judgeSuppressions(input);
  if (config.lint === undefined) {
    if (suppressions.length > 0) return buildReport(3, "", "no linter", suppressions);
    return buildIdleReport(3, "not-configured", "no linter");
  }
  const violations = [...judgeEvidence(input), ...listNewFindings(input), ...suppressions];
  return buildReport(3, countFindings(baseline), countFindings(captures), violations);
}

function judgeEvidence({ captures, baseline, config }: FloorInput): readonly Violation[] {
  const lint = captures.lint;
  if (lint === null)
    return [{ gate: 3, rule: "lint-missing", message: "The linter is configured and was not captured." }];
  if (lint.capture.command !== config.lint?.command)
    return [
      {
        gate: 3,
        rule: "lint-other-command",
        message: "The linter that ran is not the configured one.",
        was: (config.lint?.command ?? "").slice(0, 200),
        now: lint.capture.command.slice(0, 200),
      },
    ];
  const problems = listLintProblems(lint).map((problem): Violation => ({
    gate: 3,
    rule: "lint-capture",
    message: `The lint capture is no evidence: ${problem}.`,
    now: describeExit(lint.capture),
    hint: tailOutput(lint.capture),
  }));
  if (baseline.lint === null)
    problems.push({ gate: 3, rule: "baseline-missing", message: "The baseline holds no lint capture." });
  else if (listLintProblems(baseline.lint).length > 0)
    problems.push({ gate: 3, rule: "baseline-unusable", message: "The baseline's lint capture is no evidence." });
  return problems;
}

/** Why a lint capture is no evidence; a linter that finds something may exit with any status. */
export function listLintProblems(lint: NonNullable<Captures["lint"]>): readonly string[] {
  const { capture, report } = lint;
  if (capture.spawnError !== null || capture.timedOut || capture.signal !== null || capture.exit === null)
    return [...report.problems, `the linter did not end by itself (${describeExit(capture)})`];
  if (report.problems.length === 0 && report.findings.length === 0 && capture.exit !== 0)
    return [`the linter ends with exit ${capture.exit} though its report holds no finding`];
  return report.problems;
}

function listNewFindings({ captures, baseline, tip }: FloorInput): readonly Violation[] {
  const known = new Set<string>();
  for (const source of [baseline, tip])
    for (const finding of source?.lint?.report.findings ?? []) known.add(formatLintKey(finding));
  const fresh = new Map<string, LintFinding>();
  for (const finding of captures.lint?.report.findings ?? []) {
    const key = formatLintKey(finding);
    if (!known.has(key) && !fresh.has(key)) fresh.set(key, finding);
  }
  return [...fresh.values()].map((finding) => ({
    gate: 3,
    rule: "new-lint",
    message: `${finding.code === "" ? "Lint" : finding.code}: ${finding.message}`,
    path: finding.path,
    ...(finding.line === undefined ? {} : { line: finding.line }),
    was: "absent",
    now: "reported",
  }));
}

function judgeSuppressions(input: FloorInput): readonly Violation[] {
  const base = input.base ?? input.tip ?? input.baseline;
  const changed = new Set(listChangedPaths(input.changes));
  const before = countBy(base, changed);
  const after = countBy(input.captures, changed);
  const was = sum(before);
  const now = sum(after);
  if (now <= was) return [];
  return [...after]
    .filter(([path, count]) => count > (before.get(path) ?? 0))
    .map(([path, count]) => ({
      gate: 3,
      rule: "more-suppressions",
      message: `More suppressed warnings in ${path}: ${before.get(path) ?? 0} before, ${count} now.`,
      path,
      was: String(before.get(path) ?? 0),
      now: String(count),
      hint: "Mend what the tool reports instead of silencing it.",
    }));
}

function countBy(captures: Captures, changed: ReadonlySet<string>): ReadonlyMap<string, number> {
  return new Map(captures.suppressions.filter(({ path }) => changed.has(path)).map(({ path, count }) => [path, count]));
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}

function countFindings(captures: Captures): string {
  return captures.lint === null ? "" : `${captures.lint.report.findings.length} warnings`;
}
