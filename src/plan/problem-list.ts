import type { Problem } from "../contracts/problem.ts";

export const maxShownProblems = 100;

export type PathPart = string | number;

/** Collects problems; the first 100 are kept, the others counted. */
export class ProblemList {
  readonly #shown: Problem[] = [];
  #hidden = 0;

  get isEmpty(): boolean {
    return this.#shown.length === 0;
  }

  add(path: readonly PathPart[], rule: string, details: Omit<Problem, "pointer" | "rule">): void {
    if (this.#shown.length < maxShownProblems) this.#shown.push({ pointer: formatPointer(path), rule, ...details });
    else this.#hidden += 1;
  }

  /** What was kept, plus one line that counts the rest. */
  list(): readonly Problem[] {
    if (this.#hidden === 0) return this.#shown;
    const message = `${this.#hidden} more ${this.#hidden === 1 ? "problem" : "problems"} not shown`;
    return [...this.#shown, { pointer: "", rule: "more-problems", message }];
  }
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

const maxFoundLength = 80;

/** A value as it stands in a document, short enough for a message. */
export function formatFound(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "string") {
    const cut = value.length > maxFoundLength ? `${value.slice(0, maxFoundLength).toWellFormed()}…` : value;
    return JSON.stringify(cut);
  }
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
