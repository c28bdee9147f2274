/** Checkstyle XML, which many linters write (checkstyle, phpcs, ktlint, stylelint, swiftlint). */
import type { LintFinding, LintReport } from "../../contracts/captures.ts";
import { buildFinding } from "./lint-finding.ts";
import { walkXml } from "./read-xml.ts";
import type { ReportSource } from "./report-source.ts";

export function readCheckstyle(text: string, source: ReportSource): LintReport {
  const findings: LintFinding[] = [];
  let root: string | null = null;
  let path = "";
  const problem = walkXml(text, {
    open: (name, attributes) => {
      root ??= name;
      if (name === "file") path = attributes["name"] ?? "";
      if (name !== "error") return;
      const { source: code = "", message = "", line } = attributes;
      findings.push(buildFinding({ code, path, message, line }, source));
    },
    close: (name) => {
      if (name === "file") path = "";
    },
  });
  if (problem !== null) return { problems: [`not well-formed XML: ${problem}`], findings };
  if (root !== "checkstyle")
    return { problems: [`no checkstyle report: the root element is ${root ?? "missing"}`], findings: [] };
  return { problems: [], findings };
}
