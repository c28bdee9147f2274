import { scanNumber, scanString, skipBlanks, type SyntaxFault } from "./scan-tokens.ts";

/** What a caller wants to hear and know while the text is read; every pointer is RFC 6901. */
export interface JsonListener {
  /** A value begins at `offset`; `keyOffset` is where its key begins, or -1 outside objects. */
  readonly onValue?: (pointer: string, offset: number, keyOffset: number) => void;
  /** A key stands twice in one object. */
  readonly onDuplicate?: (pointer: string, key: string, offset: number, firstOffset: number) => void;
  /** Reading ends with a fault where objects and arrays are nested deeper. */
  readonly maxDepth?: number;
}

interface Frame {
  readonly close: "}" | "]";
  readonly start: number;
  readonly pointer: string;
  /** Offsets of the keys seen; `null` in an array. */
  readonly keys: Map<string, number> | null;
  count: number;
}

/**
 * Reads a text as strict JSON, without recursion, and tells the listener where everything stands.
 * Slower than `JSON.parse` and only used once something is known to be wrong.
 * @returns the first syntax error, or `null` when `JSON.parse` would accept the text
 */
export function scanJson(text: string, listener: JsonListener): SyntaxFault | null {
  const stack: Frame[] = [];
  let pointer = "";
  let keyOffset = -1;
  let offset = skipBlanks(text, 0);
  for (;;) {
    const begun = beginValue(text, offset, stack, pointer);
    if (typeof begun !== "number") return begun;
    listener.onValue?.(pointer, offset, keyOffset);
    if (stack.length > (listener.maxDepth ?? Number.POSITIVE_INFINITY)) {
      const found = `more than ${listener.maxDepth} levels`;
      const message = `objects and arrays are nested more than ${listener.maxDepth} deep`;
      return { offset, message, found, allowed: `up to ${listener.maxDepth} levels`, rule: "nesting-limit" };
    }
    offset = begun;
    let needsComma = !justOpened(stack, offset);
    for (;;) {
      offset = skipBlanks(text, offset);
      const frame = stack.at(-1);
      if (frame === undefined)
        return offset < text.length ? describeUnexpected(text, offset, "the end of the text") : null;
      if (text[offset] === frame.close) {
        stack.pop();
        offset += 1;
        needsComma = true;
        continue;
      }
      if (needsComma) {
        if (text[offset] !== ",") return describeMissingComma(text, offset, frame);
        const comma = offset;
        offset = skipBlanks(text, offset + 1);
        if (text[offset] === frame.close) {
          const message = `a comma before \`${frame.close}\` is not JSON`;
          return { offset: comma, message, found: '","', allowed: `\`${frame.close}\`` };
        }
      }
      break;
    }
    const member = beginMember(text, offset, stack.at(-1)!, listener);
    if ("message" in member) return member;
    ({ offset, pointer, keyOffset } = member);
  }
}

function justOpened(stack: readonly Frame[], offset: number): boolean {
  return stack.at(-1)?.start === offset - 1;
}

/** @returns the offset after the scalar or after the opening bracket (whose frame is pushed) */
function beginValue(text: string, offset: number, stack: Frame[], pointer: string): number | SyntaxFault {
  const character = text[offset];
  if (character === "{" || character === "[") {
    const isObject = character === "{";
    stack.push({ close: isObject ? "}" : "]", start: offset, pointer, keys: isObject ? new Map() : null, count: 0 });
    return offset + 1;
  }
  if (character === '"') return scanString(text, offset);
  if (character === "-" || (character !== undefined && character >= "0" && character <= "9"))
    return scanNumber(text, offset);
  for (const word of ["true", "false", "null"]) {
    if (text.startsWith(word, offset) && !/[\w$]/.test(text[offset + word.length] ?? "")) return offset + word.length;
  }
  return describeUnexpected(text, offset, "a value");
}

type Member = { readonly offset: number; readonly pointer: string; readonly keyOffset: number };

/** Reads up to where the next value of the object or array begins. */
function beginMember(text: string, offset: number, frame: Frame, listener: JsonListener): Member | SyntaxFault {
  if (frame.keys === null) {
    frame.count += 1;
    return { offset, pointer: `${frame.pointer}/${frame.count - 1}`, keyOffset: -1 };
  }
  if (text[offset] !== '"') return describeUnexpected(text, offset, "a key in double quotes");
  const end = scanString(text, offset);
  if (typeof end !== "number") return end;
  const key = JSON.parse(text.slice(offset, end)) as string;
  const pointer = `${frame.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const first = frame.keys.get(key);
  if (first === undefined) frame.keys.set(key, offset);
  else listener.onDuplicate?.(pointer, key, offset, first);
  const colon = skipBlanks(text, end);
  if (text[colon] !== ":") return describeUnexpected(text, colon, `\`:\` after the key ${text.slice(offset, end)}`);
  return { offset: skipBlanks(text, colon + 1), pointer, keyOffset: offset };
}

function describeMissingComma(text: string, offset: number, frame: Frame): SyntaxFault {
  return describeUnexpected(text, offset, `\`,\` or \`${frame.close}\``);
}

const foreignWords = /^(?:NaN|-?Infinity|undefined|None|True|False|TRUE|FALSE|NULL)\b/;

function describeUnexpected(text: string, offset: number, allowed: string): SyntaxFault {
  if (offset >= text.length) {
    const message = `the text ends where ${allowed} should stand`;
    return { offset: text.length, message, found: "the end of the text", allowed };
  }
  const rest = text.slice(offset, offset + 12);
  if (rest.startsWith("//") || rest.startsWith("/*") || rest.startsWith("#")) {
    return { offset, message: "comments are not JSON", found: "a comment", allowed };
  }
  const word = foreignWords.exec(rest)?.[0];
  if (word !== undefined) return { offset, message: `\`${word}\` is not JSON`, found: word, allowed };
  const found = JSON.stringify(String.fromCodePoint(text.codePointAt(offset)!));
  const message = rest.startsWith("'")
    ? "strings stand in double quotes, not in single ones"
    : `found ${found} where ${allowed} should stand`;
  return { offset, message, found, allowed };
}
