import type { Problem } from "../contracts/problem.ts";

export const maxShownProblems = 100;

export type PathPart = string | number;

/** Collects problems; the first ones (100 unless told otherwise) are kept, the others counted. */
export class ProblemList {
  readonly #shown: Problem[] = [];
  readonly #limit: number;
  #hidden = 0;

  constructor(limit: number = maxShownProblems) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#shown.length === 0;
  }

  add(path: readonly PathPart[], rule: string, details: Omit<Problem, "pointer" | "rule">): void {
    if (this.#shown.length < this.#limit) this.#shown.push({ pointer: formatPointer(path), rule, ...details });
    else this.#hidden += 1;
  }

  /** What was kept, plus one line that counts the rest. */
  list(): readonly Problem[] {
    return this.#hidden === 0 ? this.#shown : [...this.#shown, countHidden(this.#hidden)];
  }
}

/** The first 100 and one line that counts the rest. */
export function capProblems(problems: readonly Problem[]): readonly Problem[] {
  const hidden = problems.length - maxShownProblems;
  return hidden <= 0 ? problems : [...problems.slice(0, maxShownProblems), countHidden(hidden)];
}

function countHidden(hidden: number): Problem {
  const found = `${hidden} more ${hidden === 1 ? "problem" : "problems"}`;
  return { pointer: "", rule: "more-problems", message: `${found} not shown`, found, allowed: "none" };
}

/** RFC 6901. */
export function formatPointer(path: readonly PathPart[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A place as people write it: `chunks[2].deps[0]`; `the document` for the root. */
export function formatPlace(path: readonly PathPart[]): string {
  if (path.length === 0) return "the document";
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (/^[A-Za-z_][\w-]*$/.test(part)) return index === 0 ? part : `.${part}`;
      return `[${formatFound(part)}]`;
    })
    .join("");
}

/** Blanks of other kinds and invisible characters are told by their numbers. */
function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

const maxFoundLength = 80;

/** A value as it stands in a document, short enough for a message. */
export function formatFound(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "string") {
    const cut = value.length > maxFoundLength ? `${value.slice(0, maxFoundLength).toWellFormed()}…` : value;
    return JSON.stringify(cut).replaceAll(/(?! )[\p{Cf}\p{Z}]/gu, escapeCharacter);
  }
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
