/** Finds a quote where it was cited. */
import { isSafeEvidencePath } from "./evidence-path.ts";
import type { VerifiedEvidence } from "../contracts/review-result.ts";
import type { Evidence } from "../contracts/verdict.ts";

export interface ReviewedChange {
  readonly path: string;
  readonly kind: "add" | "modify" | "delete";
  /** 1-based lines of the new file that belong to the change, as far as they are known. */
  readonly addedLines: readonly number[];
  /** Whether the file at the reviewed commit can be read: not deleted, not binary. */
  readonly isText: boolean;
}

export interface EvidenceSource {
  /** A file of the reviewed commit, or null. */
  readonly readFile: (path: string) => string | null;
  readonly changes: readonly ReviewedChange[];
}

export type Located =
  | { readonly evidence: VerifiedEvidence; readonly problem: null }
  | { readonly evidence: null; readonly problem: string };

/** How many lines a citation may be off: models count badly, but not the wrong place. */
const maxDrift = 20;

/**
 * The quote must be whole lines of the file, compared without blanks at line ends. The result quotes
 * the file, not the agent.
 */
export function locateEvidence(evidence: Evidence, source: EvidenceSource): Located {
  const { path, start, end } = evidence;
  const problem = (text: string): Located => ({ evidence: null, problem: text });
  if (!isSafeEvidencePath(path)) return problem(`${show(path)} is no path of a repository`);
  const text = source.readFile(path);
  const change = source.changes.find((one) => one.path === path);
  if (text === null)
    return problem(
      change?.kind === "delete" ? `${show(path)} is deleted at this commit` : `${show(path)} is not in the tree`,
    );
  if (end < start) return problem(`${show(path)}:${start}-${end} ends before it begins`);
  const quote = splitLines(evidence.quote);
  if (!/[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(evidence.quote))
    return problem(`${show(path)}:${start} quotes nothing but punctuation`);
  const lines = splitLines(text);
  const found = findNearest(lines, quote, start);
  if (found === null) return problem(`${show(path)}:${start}-${end} does not hold the quoted lines`);
  const last = found + quote.length - 1;
  const changed = change !== undefined && change.addedLines.some((line) => line >= found && line <= last);
  return {
    evidence: {
      path,
      start: found,
      end: last,
      quote: lines.slice(found - 1, last).join("\n"),
      changed,
      ...(found === start ? {} : { movedFrom: start }),
    },
    problem: null,
  };
}

/** Lines without blanks at their ends; a final line end begins no further line. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** The 1-based line nearest to `start` where the quote stands, or null. */
function findNearest(lines: readonly string[], quote: readonly string[], start: number): number | null {
  for (let drift = 0; drift <= maxDrift; drift += 1) {
    for (const line of drift === 0 ? [start] : [start + drift, start - drift]) {
      if (line >= 1 && quote.every((text, index) => lines[line - 1 + index] === text)) return line;
    }
  }
  return null;
}

function show(path: string): string {
  return `\`${path.slice(0, 200)}\``;
}
