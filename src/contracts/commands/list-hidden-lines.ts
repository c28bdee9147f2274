import { TAG } from "./tag.ts";

/** Inline constructs of Markdown that are read from left to right, each from its own pattern. */
const addresses = /<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>/uy;
const tags = new RegExp(TAG, "uy");
/** What begins with the first and goes up to the second. */
const marked = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
] as const;

/** Numbers of a paragraph's lines (from 0) that begin inside code or HTML. In time proportional to its length. */
export function listHiddenLines(paragraph: string): ReadonlySet<number> {
  const hidden = new Set<number>();
  const codeEnds = new CodeEnds(paragraph);
  const noFurther = new Set<string>();
  let line = 0;
  let at = 0;
  const skipTo = (end: number, hides: "hides" | "shows"): void => {
    for (; at < end; at += 1) {
      if (paragraph[at] !== "\n") continue;
      line += 1;
      if (hides === "hides") hidden.add(line);
    }
  };
  while (at < paragraph.length) {
    const character = paragraph[at];
    if (character === "\\") skipTo(Math.min(at + 2, paragraph.length), "shows");
    else if (character === "`") {
      const length = codeEnds.measure(at);
      const end = codeEnds.find(length, at + length);
      skipTo(end ?? at + length, end === null ? "shows" : "hides");
    } else if (character === "<") {
      const end = findHtmlEnd(paragraph, at, noFurther);
      skipTo(end ?? at + 1, end === null ? "shows" : "hides");
    } else skipTo(at + 1, "shows");
  }
  // An address of a link may hold ticks that begin no code: where both are, all between ticks may be code.
  if (paragraph.includes("](") && paragraph.includes("`")) {
    const before = (end: number): number => paragraph.slice(0, end).split("\n").length - 1;
    const last = before(paragraph.lastIndexOf("`"));
    for (let number = before(paragraph.indexOf("`")) + 1; number <= last; number += 1) hidden.add(number);
  }
  return hidden;
}

/** @param noFurther ends that were looked for in vain: they are not further on either. */
function findHtmlEnd(text: string, at: number, noFurther: Set<string>): number | null {
  for (const pattern of [addresses, tags]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  const declaration = /[A-Za-z]/u.test(text[at + 2] ?? "") ? ([["<!", ">"]] as const) : [];
  for (const [start, end] of [...marked, ...declaration]) {
    if (!text.startsWith(start, at) || noFurther.has(end)) continue;
    const found = text.indexOf(end, at + 2);
    if (found !== -1) return found + end.length;
    noFurther.add(end);
  }
  return null;
}

/** Where runs of ticks are, by their length: code goes from one to the next of the same length. */
class CodeEnds {
  readonly #starts = new Map<number, number[]>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (const { 0: run, index } of text.matchAll(/`+/gu)) {
      const known = this.#starts.get(run.length);
      if (known === undefined) this.#starts.set(run.length, [index]);
      else known.push(index);
    }
    // The nearest last, so that what is passed can be dropped.
    for (const starts of this.#starts.values()) starts.reverse();
  }

  /** How many ticks stand here. */
  measure(at: number): number {
    let end = at;
    while (this.#text[end] === "`") end += 1;
    return end - at;
  }

  /** Where code that is ended by that many ticks ends, or null. Asked with growing places. */
  find(length: number, from: number): number | null {
    const starts = this.#starts.get(length) ?? [];
    for (let start = starts.at(-1); start !== undefined; start = starts.at(-1)) {
      starts.pop();
      if (start >= from) return start + length;
    }
    return null;
  }
}
