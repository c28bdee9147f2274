import type { Problem } from "../../contracts/problem.ts";
import { scanJson } from "./scan-json.ts";

/** 1-based; columns count UTF-16 code units. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Turns an offset into a position; lines end with LF or CRLF. */
export function findPosition(text: string, offset: number): SourcePosition {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < offset; next = text.indexOf("\n", next + 1)) {
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/**
 * Adds to each problem where it stands in the (valid) text it was found in: an unknown key at the
 * key, everything else at its value. Sorted as a reader meets them; what concerns the whole
 * document first.
 */
export function locateProblems(text: string, problems: readonly Problem[]): readonly Problem[] {
  const wanted = new Set(problems.map((problem) => problem.pointer));
  const values = new Map<string, { readonly value: number; readonly key: number }>();
  scanJson(text, {
    onValue: (pointer, value, key) => {
      if (wanted.has(pointer)) values.set(pointer, { value, key });
    },
  });
  return problems
    .map((problem) => {
      const place = values.get(problem.pointer);
      if (place === undefined) return { problem, offset: Number.POSITIVE_INFINITY };
      const offset = problem.rule === "unknown-key" && place.key >= 0 ? place.key : place.value;
      return { problem: { ...problem, ...findPosition(text, offset) }, offset };
    })
    .sort((a, b) => a.offset - b.offset || 0)
    .map(({ problem }) => problem);
}
