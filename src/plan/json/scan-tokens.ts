/** Where a text stops being JSON, and why. */
export interface SyntaxFault {
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number;
  readonly message: string;
  readonly found: string;
  /** What would be read on. */
  readonly allowed: string;
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
    if (code < 0x20) return describeControl(code, offset);
    if (code === 0x5c) {
      const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(offset, offset + 6));
      if (escape === null) {
        const found = text.slice(offset, offset + 2);
        return { offset, message: `\`${found}\` is not an escape of JSON`, found, allowed: escapes };
      }
      offset += escape[0].length - 1;
    }
  }
  return { offset: start, message: "this string is never closed", found: "no closing quote", allowed: 'a closing `"`' };
}

const escapes = String.raw`\", \\, \/, \b, \f, \n, \r, \t, or \u and four hexadecimal digits`;

function describeControl(code: number, offset: number): SyntaxFault {
  const number = code.toString(16).padStart(4, "0");
  const [found, allowed] = namedControls.get(code) ?? [`U+${number.toUpperCase()}`, `\\u${number}`];
  const what = namedControls.has(code) ? found : `the control character ${found}`;
  return { offset, message: `a string may not contain ${what}; write \`${allowed}\``, found, allowed };
}

const namedControls: ReadonlyMap<number, readonly [name: string, escape: string]> = new Map([
  [0x09, ["a tab", "\\t"]],
  [0x0a, ["a line break", "\\n"]],
  [0x0d, ["a line break", "\\r"]],
]);

/** @returns the offset after the number that begins at `start` */
export function scanNumber(text: string, start: number): number | SyntaxFault {
  let end = start;
  while (/[\w.+-]/.test(text[end] ?? "")) end += 1;
  const token = text.slice(start, end);
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(token)) return end;
  const found = token.slice(0, 40);
  const allowed = "a number like 12, -0.5 or 1e3";
  return { offset: start, message: `\`${found}\` is not a number of JSON`, found, allowed };
}
