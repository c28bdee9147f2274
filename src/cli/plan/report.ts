import { formatOneLine } from "../../contracts/markdown.ts";
import type { Terminal } from "../terminal.ts";
import { type Examined, findExitCode } from "./document.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";

/** What `--json` prints for a file, on one line. */
export function formatReportJson(examined: Examined): string {
  const kind = examined.state === "invalid" ? examined.kind : examined.state === "unexaminable" ? null : examined.state;
  const errors = "errors" in examined ? examined.errors : [];
  const warnings = "warnings" in examined ? examined.warnings : [];
  return JSON.stringify({ file: examined.file, kind, valid: findExitCode(examined) === 0, errors, warnings });
}

/** Everything that is wrong, for people; `null` when there is nothing to say. */
export function formatErrors(terminal: Terminal, examined: Examined): string | null {
  switch (examined.state) {
    case "plan":
    case "execution-plan":
      return null;
    case "invalid":
      return [
        ...examined.errors.map((problem) =>
          formatDiagnostic(terminal, { file: examined.file, text: examined.text, problem, severity: "error" }),
        ),
        `${formatOneLine(examined.file)}: not a valid ${(examined.kind ?? "document").replace("-", " ")}: ${countOf(examined.errors.length, "error")}`,
      ].join("\n\n");
    case "unexaminable":
      return examined.errors.map(({ message }) => `${formatOneLine(examined.file)}: ${message}`).join("\n");
  }
}

export function formatWarnings(terminal: Terminal, examined: Examined): string | null {
  if (examined.state === "unexaminable" || examined.warnings.length === 0) return null;
  return examined.warnings
    .map((problem) =>
      formatDiagnostic(terminal, { file: examined.file, text: examined.text, problem, severity: "warning" }),
    )
    .join("\n\n");
}

/** One line on a valid document. */
export function formatVerdict(examined: Extract<Examined, { state: "plan" | "execution-plan" }>): string {
  const what =
    examined.state === "plan"
      ? `valid plan, revision ${examined.plan.plan_rev}, ${countOf(examined.plan.chunks.length, "chunk")}`
      : `valid execution plan, run ${examined.executionPlan.run_id}, ${countOf(examined.executionPlan.agents.length, "agent")}`;
  const warnings = examined.warnings.length;
  return `${formatOneLine(examined.file)}: ${what}${warnings === 0 ? "" : `, ${countOf(warnings, "warning")}`}`;
}

export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
