import type { Captures, CommandCapture } from "../../contracts/captures.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import { listTestProblems } from "../capture-problems.ts";
import { describeExit, exitedWith, tailOutput } from "../describe-exit.ts";
import type { FloorInput } from "../floor-input.ts";
import { deriveFlakyTests, describeTest, indexCapturedTests } from "../test-identity.ts";
import { compareToolchains } from "../toolchain.ts";
import { buildIdleReport, buildReport, type GateReport } from "./gate-report.ts";

/**
 * Gate 0: the commands themselves. Setup and type check exit 0; the test command exits 0, or only
 * tests fail that fail in the baseline, too. Also everything that makes the captures no evidence:
 * another commit, another toolchain, another command than the configured one, an unusable report.
 */
export function judgeCommands(input: FloorInput): GateReport {
  const violations = [...judgeProvenance(input), ...judgeSetup(input), ...judgeTypecheck(input), ...judgeTests(input)];
  const { config } = input;
  if (config.typecheck === undefined && config.test === undefined && violations.length === 0)
    return buildIdleReport(0, "not-configured", "no type check and no test command");
  return buildReport(0, summarize(input.baseline), summarize(input.captures), violations);
}

function judgeProvenance({ captures, baseline, commit }: FloorInput): readonly Violation[] {
  const violations: Violation[] = [];
  if (captures.commit !== commit)
    violations.push({
      gate: 0,
      rule: "other-commit",
      message: `The captures are of commit ${short(captures.commit)}, not of ${short(commit)}.`,
      was: short(commit),
      now: short(captures.commit),
    });
  if (compareToolchains(baseline.toolchain, captures.toolchain) === "different")
    violations.push({
      gate: 0,
      rule: "toolchain-changed",
      message: `The toolchain is ${captures.toolchain}; the baseline was captured with ${baseline.toolchain}.`,
      was: baseline.toolchain,
      now: captures.toolchain,
      hint: "Nobody's fault: the baseline is captured again with the new toolchain.",
    });
  return violations;
}

function judgeSetup({ captures, config }: FloorInput): readonly Violation[] {
  return judgeCommand("setup", "The setup command", config.setup?.command, captures.setup);
}

function judgeTypecheck({ captures, config }: FloorInput): readonly Violation[] {
  return judgeCommand("typecheck", "The type check", config.typecheck?.command, captures.typecheck);
}

function judgeCommand(
  rule: string,
  what: string,
  configured: string | undefined,
  capture: CommandCapture | null,
): readonly Violation[] {
  if (configured === undefined) return [];
  if (capture === null)
    return [{ gate: 0, rule: `${rule}-missing`, message: `${what} is configured and was not captured.` }];
  if (capture.command !== configured) return [buildOtherCommand(rule, what, configured, capture)];
  if (exitedWith(capture, 0)) return [];
  return [
    {
      gate: 0,
      rule: `${rule}-failed`,
      message: `${what} \`${configured}\` failed: ${describeExit(capture)}.`,
      was: "exit 0",
      now: describeExit(capture),
      hint: tailOutput(capture),
    },
  ];
}

function judgeTests({ captures, baseline, config }: FloorInput): readonly Violation[] {
  const configured = config.test?.command;
  if (configured === undefined) return [];
  const { tests } = captures;
  if (tests === null)
    return [{ gate: 0, rule: "test-missing", message: "The test command is configured and was not captured." }];
  if (tests.capture.command !== configured)
    return [buildOtherCommand("test", "The test command", configured, tests.capture)];
  const problems = [
    ...describeProblems("test-capture", "The test capture is no evidence", tests),
    ...(baseline.tests === null
      ? [{ gate: 0, rule: "baseline-missing", message: "The baseline holds no test capture to compare with." } as const]
      : describeProblems("baseline-unusable", "The baseline's test capture is no evidence", baseline.tests)),
  ];
  if (problems.length > 0) return problems;
  return listNewFailures(captures, baseline);
}

function describeProblems(rule: string, what: string, tests: NonNullable<Captures["tests"]>): readonly Violation[] {
  return listTestProblems(tests).map((problem) => ({
    gate: 0,
    rule,
    message: `${what}: ${problem}.`,
    now: describeExit(tests.capture),
    hint: tailOutput(tests.capture),
  }));
}

/** Failing tests that are new: those that passed before are gate 2's. */
function listNewFailures(captures: Captures, baseline: Captures): readonly Violation[] {
  const before = indexCapturedTests(baseline);
  const flaky = deriveFlakyTests(baseline);
  const violations: Violation[] = [];
  for (const [key, test] of indexCapturedTests(captures)) {
    if (test.status !== "failed" || before.get(key)?.status === "failed" || flaky.has(key)) continue;
    violations.push({
      gate: 0,
      rule: "test-failed",
      message: `The test ${describeTest(test.case)} fails.`,
      ...locateTest(test.case),
      was: before.get(key)?.status ?? "absent",
      now: "failed",
      ...(test.case.message === undefined ? {} : { hint: test.case.message.slice(0, 1000) }),
    });
  }
  return violations;
}

function locateTest(test: { readonly path?: string | undefined; readonly line?: number | undefined }): {
  path?: string;
  line?: number;
} {
  if (test.path === undefined) return {};
  return test.line === undefined ? { path: test.path } : { path: test.path, line: test.line };
}

function buildOtherCommand(rule: string, what: string, configured: string, capture: CommandCapture): Violation {
  return {
    gate: 0,
    rule: `${rule}-other-command`,
    message: `${what} that ran is not the configured one.`,
    was: configured.slice(0, 200),
    now: capture.command.slice(0, 200),
  };
}

function summarize(captures: Captures): string {
  const parts: string[] = [];
  if (captures.typecheck !== null) parts.push(`types ${describeExit(captures.typecheck)}`);
  if (captures.tests !== null) parts.push(`tests ${describeExit(captures.tests.capture)}`);
  return parts.join(", ");
}

function short(commit: string): string {
  return commit.slice(0, 10);
}
