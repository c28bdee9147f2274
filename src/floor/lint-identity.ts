import type { LintFinding } from "../contracts/captures.ts";

/** What makes two lint findings the same one: no line numbers, so that moved code brings nothing new. */
export function formatLintKey(finding: LintFinding): string {
  return `${finding.code}\0${finding.package}\0${finding.path}\0${finding.message}`;
}
