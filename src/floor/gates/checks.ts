import type { CheckCapture } from "../../contracts/captures.ts";
import type { Violation } from "../../contracts/floor-result.ts";
import { ACCEPTANCE_OWNER } from "../../contracts/criteria.ts";
import { describeExit, exitedWith, tailOutput } from "../describe-exit.ts";
import type { ExpectedCheck, FloorInput } from "../floor-input.ts";
import { buildReport, type GateReport } from "./gate-report.ts";

/** Gate 1: every plan check that belongs to this commit ran as planned and ended as expected. */
export function judgeChecks({ captures, expectedChecks }: FloorInput): GateReport {
  const byId = new Map<string, CheckCapture[]>();
  for (const check of captures.checks) {
    const id = formatCheckId(check);
    byId.set(id, [...(byId.get(id) ?? []), check]);
  }
  const violations = expectedChecks.flatMap((check) => judgeCheck(check, byId.get(formatCheckId(check)) ?? []));
  // Each check yields at most one violation.
  const now = `${expectedChecks.length - violations.length} of ${expectedChecks.length} pass`;
  return buildReport(1, "", now, violations);
}

function judgeCheck(expected: ExpectedCheck, captures: readonly CheckCapture[]): readonly Violation[] {
  const label = `Check ${expected.index + 1} of ${nameOwner(expected.owner)} (${expected.desc})`;
  const [found, ...more] = captures;
  if (found === undefined) return [{ gate: 1, rule: "check-missing", message: `${label} was not run.` }];
  if (more.length > 0)
    return [{ gate: 1, rule: "check-doubled", message: `${label} was captured ${captures.length} times.` }];
  if (found.capture.command !== expected.run || (found.cwd ?? ".") !== (expected.cwd ?? "."))
    return [
      {
        gate: 1,
        rule: "check-other-command",
        message: `${label} ran another command than the plan's.`,
        was: describeCommand(expected.run, expected.cwd),
        now: describeCommand(found.capture.command, found.cwd),
      },
    ];
  if (exitedWith(found.capture, expected.expectExit)) return [];
  return [
    {
      gate: 1,
      rule: "check-failed",
      message: `${label} failed: \`${shorten(expected.run)}\` ended with ${describeExit(found.capture)}.`,
      was: `exit ${expected.expectExit}`,
      now: describeExit(found.capture),
      hint: tailOutput(found.capture),
    },
  ];
}

function nameOwner(owner: string): string {
  return owner === ACCEPTANCE_OWNER ? "the acceptance" : owner;
}

function formatCheckId(check: { readonly owner: string; readonly index: number }): string {
  return `${check.owner}\0${check.index}`;
}

function describeCommand(run: string, cwd: string | undefined): string {
  return cwd === undefined ? shorten(run) : `${shorten(run)} (in ${cwd})`;
}

function shorten(command: string): string {
  return command.length > 200 ? `${command.slice(0, 197)}...` : command;
}
