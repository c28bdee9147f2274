import { DoubtfulTags } from "./doubtful-tags.ts";
import { findUnclosedLink } from "./find-unclosed-link.ts";
import type { OpenElements } from "./open-elements.ts";
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

/**
 * Numbers of a paragraph's lines (from 0) that begin inside code, HTML or what is struck out. In time proportional to
 * its length.
 * @param elements what is open where the paragraph begins; afterwards, where it ends.
 */
export function listHiddenLines(paragraph: string, elements: OpenElements): ReadonlySet<number> {
  const hidden = new Set<number>();
  const codeEnds = new CodeEnds(paragraph);
  const doubtfulTags = new DoubtfulTags(paragraph);
  const noFurther = new Set<string>();
  let line = 0;
  let at = 0;
  if (elements.any) hidden.add(0);
  const skipTo = (end: number, hides: "hides" | "shows"): void => {
    for (; at < end; at += 1) {
      if (paragraph[at] !== "\n") continue;
      line += 1;
      if (hides === "hides" || elements.any) hidden.add(line);
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
      const from = at;
      const html = findHtml(paragraph, at, noFurther);
      skipTo(html?.end ?? at + 1, html === null ? "shows" : "hides");
      if (html?.kind === "tag")
        elements.readTag(paragraph.slice(from, at), doubtfulTags.has(from) ? "doubtful" : "certain");
      else if (html?.kind === "marked") elements.readMarked(paragraph.slice(from, at));
    } else skipTo(at + 1, "shows");
  }
  const hideFrom = (first: number, last: number): void => {
    const before = (end: number): number => paragraph.slice(0, end).split("\n").length - 1;
    const end = before(Math.max(last, 0));
    for (let number = before(first) + 1; number <= end; number += 1) hidden.add(number);
  };
  // An address of a link may hold ticks that begin no code: where both are, all between ticks may be code.
  if (paragraph.includes("](") && paragraph.includes("`")) hideFrom(paragraph.indexOf("`"), paragraph.lastIndexOf("`"));
  // Where a link goes, and its title, may take further lines: to the last that can end it.
  const link = findUnclosedLink(paragraph);
  if (link !== null) hideFrom(link, paragraph.lastIndexOf(")"));
  const reference = paragraph.search(/\]\[[^\]\n]*\n/u);
  if (reference !== -1) hideFrom(reference, paragraph.lastIndexOf("]"));
  // Struck out between tildes: the first that can begin it, the last that can end it.
  const struck = paragraph.search(/~\S/u);
  if (struck !== -1) hideFrom(struck, findLastEnd(paragraph));
  return hidden;
}

/** Where the last tilde stands that goes on from a word, or 0. */
function findLastEnd(text: string): number {
  let at = text.lastIndexOf("~");
  while (at > 0 && /\s/u.test(text[at - 1] ?? "")) at = text.lastIndexOf("~", at - 1);
  return Math.max(at, 0);
}

interface Html {
  readonly kind: "address" | "tag" | "marked";
  readonly end: number;
}

/** @param noFurther ends that were looked for in vain: they are not further on either. */
function findHtml(text: string, at: number, noFurther: Set<string>): Html | null {
  for (const [kind, pattern] of [
    ["address", addresses],
    ["tag", tags],
  ] as const) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { kind, end: pattern.lastIndex };
  }
  const declaration = /[A-Za-z]/u.test(text[at + 2] ?? "") ? ([["<!", ">"]] as const) : [];
  for (const [start, end] of [...marked, ...declaration]) {
    if (!text.startsWith(start, at) || noFurther.has(end)) continue;
    const found = text.indexOf(end, at + 2);
    if (found !== -1) return { kind: "marked", end: found + end.length };
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
