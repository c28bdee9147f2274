import type { LintFinding } from "../../contracts/captures.ts";
import { cleanName, parseLine, relativizePath, type ReportSource } from "./report-source.ts";

/** A finding from a report's raw fields; absent texts are "". */
export function buildFinding(
  raw: {
    readonly code: string;
    readonly package?: string;
    readonly path: string;
    readonly message: string;
    readonly line?: unknown;
  },
  source: ReportSource,
): LintFinding {
  const line = parseLine(raw.line);
  return {
    code: cleanName(raw.code),
    package: cleanName(raw.package ?? ""),
    path: relativizePath(raw.path, source),
    message: cleanName(raw.message),
    ...(line === undefined ? {} : { line }),
  };
}
