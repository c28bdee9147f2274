/**
 * Parsing Markdown costs the square of what a text is made of, so a text made for it would keep the App busy for
 * minutes. What stays below these bounds is read within a second or two; no text for people comes near them.
 */
const bounds = {
  /** Every line that is not blank may begin or continue a block. */
  lines: 3000,
  /** Comments, instructions and declarations of HTML are looked for up to the end of their block. */
  openers: 200,
};

/** What a text has more of than can be read, or null. In linear time. */
export function findExcess(markdown: string): string | null {
  if (count(markdown, /^[ \t]*\S/gmu) > bounds.lines) return "lines";
  if (count(markdown, /<[!?]/gu) > bounds.openers) return "comments";
  return null;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
