import { formatOneLine } from "../../contracts/markdown.ts";
import type { Problem } from "../../contracts/problem.ts";
import { styleText } from "node:util";
import type { Terminal } from "../terminal.ts";

export type Severity = "error" | "warning";

/** A problem and the text it was found in. */
export interface Diagnostic {
  readonly file: string;
  readonly text: string;
  readonly problem: Problem;
  readonly severity: Severity;
}

/**
 * A problem as a compiler shows it: place, severity, rule, sentence, the source line with a caret
 * under what is meant, and what would be accepted. Control characters of the document, and of its
 * name, never reach the terminal.
 */
export function formatDiagnostic(terminal: Terminal, { file, text, problem, severity }: Diagnostic): string {
  const name = formatOneLine(file);
  const place = problem.line === undefined ? name : `${name}:${problem.line}:${problem.column ?? 1}`;
  const lines = [
    `${place}: ${paint(terminal, severity, `${severity}[${problem.rule}]`)}: ${formatOneLine(problem.message)}`,
  ];
  if (problem.line !== undefined) lines.push(...formatExcerpt(text, problem.line, problem.column ?? 1));
  if (problem.pointer !== "") lines.push(`  at ${formatOneLine(problem.pointer)}`);
  if (problem.allowed !== undefined) lines.push(`  allowed: ${formatOneLine(problem.allowed)}`);
  return lines.join("\n");
}

function paint(terminal: Terminal, severity: Severity, text: string): string {
  if (!terminal.isColoured) return text;
  return styleText(severity === "error" ? "red" : "yellow", text, { validateStream: false });
}

const excerptWidth = 100;

function formatExcerpt(text: string, line: number, column: number): readonly string[] {
  const source = text.split("\n", line)[line - 1]?.replace(/\r$/, "") ?? "";
  const start = column - 1;
  // A plan on one line: show the part around the place.
  const from = source.length <= excerptWidth ? 0 : Math.max(0, start - 30);
  const shown = source.slice(from, from + excerptWidth);
  const head = from > 0 ? "…" : "";
  const tail = from + excerptWidth < source.length ? "…" : "";
  const length = Math.max(1, Math.min(measureToken(source.slice(start)), from + excerptWidth - start));
  const margin = " ".repeat(String(line).length);
  const before = makeVisible(source.slice(from, start));
  return [
    `  ${margin} |`,
    `  ${line} | ${head}${makeVisible(shown)}${tail}`,
    `  ${margin} | ${" ".repeat(measureWidth(head + before))}${"^".repeat(measureWidth(makeVisible(source.slice(start, start + length))) || 1)}`,
  ];
}

/** One visible character for each that a terminal would obey instead of show. */
function makeVisible(text: string): string {
  return text
    .replaceAll("\t", " ")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "·")
    .toWellFormed();
}

/** The string, number or word that begins here; one character for anything else. */
function measureToken(source: string): number {
  return /^(?:"(?:[^"\\]|\\.)*"?|[\w.+-]+)/.exec(source)?.[0].length ?? 1;
}

/** Columns in a terminal; East Asian wide characters and pictures take two, combining marks none. */
function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width +=
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
