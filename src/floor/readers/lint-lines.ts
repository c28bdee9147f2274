/**
 * Plain `file:line[:column]: [severity:] [code] message` lines, as compilers and small linters print
 * them; also tsc's `file(line,column): error TS1234: message`. Other lines are no findings.
 */
import type { LintFinding, LintReport } from "../../contracts/captures.ts";
import { buildFinding } from "./lint-finding.ts";
import type { ReportSource } from "./report-source.ts";

const colons = /^((?:[A-Za-z]:)?[^:\s][^:]*):([0-9]+)(?::[0-9]+)?(?:[:-][0-9]+)?:?\s+(.+)$/u;
const parentheses = /^([^(\s][^(]*)\(([0-9]+),[0-9]+\):\s+(.+)$/u;
const severity = /^(?:fatal error|error|warning|note|info)\b:?\s*/iu;
const codeAhead = /^(?:\[([A-Za-z][\w./-]*)\]|([A-Z]+[0-9]+))[:\s]\s*(.+)$/u;
const codeBehind = /^(.*\S)\s+(?:\[([^\][\s]+)\]|\(([A-Za-z@][\w@./-]*)\))$/u;
// oxlint-disable-next-line no-control-regex
const colours = /\u001b\[[0-9;]*m/gu;

export function readLintLines(text: string, source: ReportSource): LintReport {
  const findings: LintFinding[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.replaceAll(colours, "").trimEnd();
    const match = colons.exec(line) ?? parentheses.exec(line);
    if (match === null) continue;
    const [, path = "", number, rest = ""] = match;
    // A time of day is no place.
    if (/^[0-9]+$/u.test(path)) continue;
    findings.push(buildFinding({ path, line: number, ...splitCode(rest) }, source));
  }
  return { problems: [], findings };
}

function splitCode(rest: string): { readonly code: string; readonly message: string } {
  const text = rest.replace(severity, "");
  const ahead = codeAhead.exec(text);
  if (ahead !== null) return { code: ahead[1] ?? ahead[2] ?? "", message: ahead[3] ?? "" };
  const behind = codeBehind.exec(text);
  if (behind !== null) return { code: behind[2] ?? behind[3] ?? "", message: behind[1] ?? "" };
  return { code: "", message: text };
}
