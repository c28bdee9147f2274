/** Top-level blocks of Markdown that may hold HTML, found in one pass over its lines. */
import { TAG } from "./tag.ts";

/**
 * Lines `from` to before `to` are a paragraph, HTML as it was written, or something aside: a quote, a list or a heading.
 * `lazy`: a paragraph of a quote or list, or one of its own.
 */
export interface Stretch {
  readonly kind: "paragraph" | "html" | "aside" | "lazy";
  readonly from: number;
  readonly to: number;
}

/** What lines belong to until something ends it. */
type Block =
  | { readonly kind: "none" }
  | { readonly kind: "paragraph"; readonly from: number }
  | { readonly kind: "fence"; readonly mark: string }
  /** `end` null: a blank line. */
  | { readonly kind: "html"; readonly end: RegExp | null }
  | { readonly kind: "quote" }
  /** Lines indented to `column` belong to its last item. */
  | { readonly kind: "list"; readonly column: number; readonly last: "item" | "empty item" | "blank" };

const NONE = { kind: "none" } as const satisfies Block;
/** From here on nothing is taken for a paragraph. */
const UNKNOWN: Block = { kind: "html", end: /(?!)/u };

export function scanBlocks(lines: readonly string[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let block: Block = NONE;
  for (const [at, line] of lines.entries()) {
    const next = step(block, line, at);
    const last = found.at(-1);
    const goesOn = last?.to === at;
    // A line that underlines a paragraph makes it a heading.
    if (block.kind === "paragraph" && next !== block && isUnderline(line) && goesOn)
      found.push({ kind: "aside", from: found.pop()?.from ?? at, to: at + 1 });
    else {
      const kind = classifyLine(block, next, line);
      const isSame = goesOn && last.kind === kind && (kind !== "paragraph" || next === block);
      if (kind !== null) found.push({ kind, from: isSame ? (found.pop()?.from ?? at) : at, to: at + 1 });
    }
    block = next;
  }
  return found;
}

/** What a line is part of; null: nothing, or code. */
function classifyLine(block: Block, next: Block, line: string): Stretch["kind"] | null {
  if (line.trim() === "" && block.kind !== "html") return null;
  switch (next.kind) {
    case "html":
    case "paragraph":
      return next.kind;
    case "quote":
      return line.trimStart().startsWith(">") ? "aside" : "lazy";
    case "list":
      return measureIndent(line) >= next.column || findItem(line.trimStart()) !== undefined ? "aside" : "lazy";
    case "fence":
      return null;
    case "none":
      if (block.kind === "fence" || measureIndent(line) > 3) return null;
      return block.kind === "html" || line.trimStart().startsWith("<") ? "html" : "aside";
  }
}

function step(block: Block, line: string, at: number): Block {
  const blank = line.trim() === "";
  switch (block.kind) {
    case "fence":
      return isFenceEnd(line, block.mark) ? NONE : block;
    case "html":
      return (block.end === null ? blank : block.end.test(line)) ? NONE : block;
    case "quote":
      return blank ? NONE : beginOrContinue(block, line, at);
    case "list":
      // An item that is empty for two lines is over.
      if (blank) return block.last === "empty item" ? NONE : { ...block, last: "blank" };
      if (measureIndent(line) >= block.column) return { ...block, last: "item" };
      return block.last === "blank" ? begin(NONE, line, at) : beginOrContinue(block, line, at);
    case "none":
    case "paragraph":
      return blank ? NONE : begin(block, line, at);
  }
}

/** Text right below a quote or list goes on with its last paragraph. Where there is none it is taken for such text, too. */
function beginOrContinue(block: Extract<Block, { kind: "quote" | "list" }>, line: string, at: number): Block {
  const next = begin(NONE, line, at);
  // A tag begins something of its own only where no paragraph is; whether one is there is not known here.
  if (next.kind === "html" && begin({ kind: "paragraph", from: at }, line, at).kind === "paragraph") return UNKNOWN;
  if (next.kind !== "paragraph" && measureIndent(line) < 4) return next;
  return block.kind === "quote" ? block : { ...block, last: "item" };
}

/** What a line that is not blank begins, after nothing or within a paragraph. */
function begin(block: Extract<Block, { kind: "none" | "paragraph" }>, line: string, at: number): Block {
  const inside = block.kind === "paragraph";
  // Code, or a paragraph's further line.
  if (measureIndent(line) > 3) return block;
  const text = line.trimStart();
  const fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/u.exec(text)?.[0];
  if (fence !== undefined) return { kind: "fence", mark: fence };
  if (inside && isUnderline(line)) return NONE;
  if (/^([-*_])(?:[ \t]*\1){2,}[ \t]*$/u.test(text) || /^#{1,6}(?:[ \t]|$)/u.test(text)) return NONE;
  if (text.startsWith(">")) return { kind: "quote" };
  const item = findItem(text);
  if (item !== undefined && !(inside && isPartOfText(item, text))) return beginList(line, item);
  const html = readHtmlStart(text, inside);
  if (html !== undefined) return html?.test(text) === true ? NONE : { kind: "html", end: html };
  return inside ? block : { kind: "paragraph", from: at };
}

/** Columns of white space before the text, in a line that begins at the column `from`. */
function measureIndent(line: string, from = 0): number {
  let columns = from;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

function isUnderline(line: string): boolean {
  return measureIndent(line) < 4 && /^(?:=+|-+)[ \t]*$/u.test(line.trimStart());
}

function isFenceEnd(line: string, mark: string): boolean {
  const text = line.trim();
  const sign = mark[0] ?? "";
  return measureIndent(line) < 4 && text.length >= mark.length && text === sign.repeat(text.length);
}

function findItem(text: string): string | undefined {
  return /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/u.exec(text)?.[0];
}

/** Within a paragraph an item begins a list only when it is not empty, and counts from 1. */
function isPartOfText(item: string, text: string): boolean {
  return text.trimEnd() === item || !/^(?:[-+*]|0*1[.)])$/u.test(item);
}

function beginList(line: string, item: string): Block {
  const after = measureIndent(line) + item.length;
  const rest = line.slice(line.indexOf(item) + item.length);
  if (rest.trim() === "") return { kind: "list", column: after + 1, last: "empty item" };
  const column = measureIndent(rest, after);
  // More than four columns are code within the item.
  return { kind: "list", column: column - after > 4 ? after + 1 : column, last: "item" };
}

const elements =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|" +
  "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|" +
  "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|" +
  "track|ul";
/** Any tag, alone on its line. */
const loneTag = new RegExp(`^${TAG}[ \\t]*$`, "u");
const blockElement = new RegExp(`^</?(?:${elements})(?:\\s|/?>|$)`, "iu");

/** How the HTML that a line begins ends: null = with a blank line, undefined = it begins none. */
function readHtmlStart(text: string, inside: boolean): RegExp | null | undefined {
  if (!text.startsWith("<")) return undefined;
  if (text.startsWith("<!--")) return /-->/u;
  if (text.startsWith("<?")) return /\?>/u;
  if (text.startsWith("<![CDATA[")) return /\]\]>/u;
  if (/^<![A-Za-z]/u.test(text)) return />/u;
  if (/^<(?:script|pre|style|textarea)(?:\s|>|$)/iu.test(text)) return /<\/(?:script|pre|style|textarea)>/iu;
  if (blockElement.test(text)) return null;
  return !inside && loneTag.test(text) ? null : undefined;
}
