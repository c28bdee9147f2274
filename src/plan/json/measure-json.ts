/** What one quick pass over a text tells without judging it. */
export interface JsonMeasure {
  /** Colons outside strings: in valid JSON, the number of keys written. */
  readonly keys: number;
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
}

const quote = 0x22;
const backslash = 0x5c;

/** Any text is measured; for one that is no JSON the numbers mean little. */
export function measureJson(text: string): JsonMeasure {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  for (let offset = 0; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === quote) {
      offset = findClosingQuote(text, offset + 1);
      if (offset === -1) break;
    } else if (code === 0x3a) keys += 1;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { keys, depth: deepest };
}

function findClosingQuote(text: string, from: number): number {
  let offset = text.indexOf('"', from);
  while (offset !== -1 && text.charCodeAt(offset - 1) === backslash && isEscaped(text, offset, from)) {
    offset = text.indexOf('"', offset + 1);
  }
  return offset;
}

function isEscaped(text: string, offset: number, from: number): boolean {
  let first = offset;
  while (first > from && text.charCodeAt(first - 1) === backslash) first -= 1;
  return (offset - first) % 2 === 1;
}

/** The number of keys in a parsed value; fewer than were written when a key stood twice. */
export function countKeys(root: unknown): number {
  let count = 0;
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "object") stack.push(item);
    } else {
      const parts = value as Record<string, unknown>;
      const keys = Object.keys(parts);
      count += keys.length;
      for (const key of keys) if (typeof parts[key] === "object") stack.push(parts[key]);
    }
  }
  return count;
}
