import { formatTerminalLine } from "../terminal-text.ts";

/**
 * - ok: as it should be;
 * - unknown: could not be looked at; `fix` says what would let it;
 * - warning: works, but not for long or not as safely as it could;
 * - problem: nothing or not everything works before it is mended.
 */
export type Level = "ok" | "unknown" | "warning" | "problem";

export interface Finding {
  /** Names the check; stable, for machines. */
  readonly check: string;
  readonly level: Level;
  /** What was found. */
  readonly what: string;
  /** Why it matters; "" when it is ok. */
  readonly why: string;
  /** The smallest step that mends it; "" when it is ok. */
  readonly fix: string;
}

export function ok(check: string, what: string): Finding {
  return { check, level: "ok", what, why: "", fix: "" };
}

/** One line per finding, with why and fix below what is not ok. */
export function formatFindings(findings: readonly Finding[]): string {
  const signs: Readonly<Record<Level, string>> = {
    ok: "ok     ",
    unknown: "?      ",
    warning: "warning",
    problem: "PROBLEM",
  };
  const lines = findings.flatMap(({ check, level, what, why, fix }) => [
    `${signs[level]}  ${check}: ${formatTerminalLine(what)}`,
    ...(level === "ok"
      ? []
      : [`           why: ${formatTerminalLine(why)}`, `           fix: ${formatTerminalLine(fix)}`]),
  ]);
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const tell = (level: Level, word: string): string => `${count(level)} ${word}${count(level) === 1 ? "" : "s"}`;
  return `${lines.join("\n")}\n${tell("problem", "problem")}, ${tell("warning", "warning")}, ${count("unknown")} not looked at\n`;
}
