/** CommonMark nests brackets in an address no deeper (spec.commonmark.org/0.31.2/#link-destination). */
const DEEPEST = 32;
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", "(": ")" };

/**
 * Where the first link begins whose address or title goes on behind the end of its line, or null. Read as
 * spec.commonmark.org/0.31.2/#inline-link has it: what cannot be a link goes on nowhere. In time proportional to the
 * text, since no address is read further than its brackets may nest.
 */
export function findUnclosedLink(text: string): number | null {
  for (let at = text.indexOf("]("); at !== -1; at = text.indexOf("](", at + 2)) if (goesOn(text, at + 2)) return at;
  return null;
}

function goesOn(text: string, start: number): boolean {
  const address = skipBlanks(text, start);
  if (isLineEnd(text, address)) return true;
  const end = text[address] === "<" ? findAngleEnd(text, address) : findAddressEnd(text, address);
  if (end === null) return false;
  // What may follow an address is a title, on the same line or the next; or the bracket, which hides no line.
  const gap = skipBlanks(text, end);
  const title = text[gap] === "\n" ? skipBlanks(text, gap + 1) : gap;
  const closing = title === end ? undefined : CLOSING[text[title] ?? ""];
  return closing !== undefined && (title > gap || findTitleEnd(text, title + 1, closing) === "goes on");
}

/** Behind an address in angle brackets; null when it is none. */
function findAngleEnd(text: string, start: number): number | null {
  for (let at = start + 1; !isLineEnd(text, at); at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "<") return null;
    else if (text[at] === ">") return at + 1;
  }
  return null;
}

/** Behind an address without white space; null when its brackets do not match. */
function findAddressEnd(text: string, start: number): number | null {
  let depth = 0;
  let at = start;
  for (; at < text.length && !/\s/u.test(text[at] ?? ""); at += 1) {
    const character = text[at];
    if (character === "\\" && !isLineEnd(text, at + 1)) at += 1;
    else if (character === "(" && (depth += 1) > DEEPEST) return null;
    else if (character === ")" && (depth -= 1) < 0) return at;
  }
  return depth === 0 ? at : null;
}

/** Behind a title; null when it is none. */
function findTitleEnd(text: string, start: number, closing: string): number | "goes on" | null {
  for (let at = start; !isLineEnd(text, at); at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === closing) return at + 1;
    else if (text[at] === "(" && closing === ")") return null;
  }
  return "goes on";
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === "\n";
}
