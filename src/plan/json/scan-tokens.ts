/** Where a text stops being JSON, and why. */
export interface SyntaxFault {
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number;
  readonly message: string;
  /** Absent = `json-syntax`. */
  readonly rule?: "nesting-limit";
}

/** @returns the first offset from `offset` on that holds none of JSON's four blanks */
export function skipBlanks(text: string, offset: number): number {
  let next = offset;
  for (;;) {
    const code = text.charCodeAt(next);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return next;
    next += 1;
  }
}

/** @returns the offset after the closing quote of the string that begins at `start` */
export function scanString(text: string, start: number): number | SyntaxFault {
  for (let offset = start + 1; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) return offset + 1;
    if (code < 0x20) return { offset, message: describeControl(code) };
    if (code === 0x5c) {
      const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(offset, offset + 6));
      if (escape === null) return { offset, message: `\`${text.slice(offset, offset + 2)}\` is not an escape of JSON` };
      offset += escape[0].length - 1;
    }
  }
  return { offset: start, message: "this string is never closed" };
}

function describeControl(code: number): string {
  if (code === 0x0a || code === 0x0d) return "a string may not contain a line break; write `\\n`";
  if (code === 0x09) return "a string may not contain a tab; write `\\t`";
  return `a string may not contain the control character U+${code.toString(16).toUpperCase().padStart(4, "0")}; escape it`;
}

/** @returns the offset after the number that begins at `start` */
export function scanNumber(text: string, start: number): number | SyntaxFault {
  let end = start;
  while (/[\w.+-]/.test(text[end] ?? "")) end += 1;
  const token = text.slice(start, end);
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(token)) return end;
  return { offset: start, message: `\`${token.slice(0, 40)}\` is not a number of JSON` };
}
