/** Finds the one JSON object in what an agent printed, and tells apart the ways in which there is none. */

export type ParsedAnswer =
  /** `text` is the object as the agent wrote it. */
  | { readonly kind: "json"; readonly text: string; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "empty" | "garbage" | "truncated" | "ambiguous"; readonly cause: string };

/** How many characters are looked at before the rest is given up: text made of braces costs no more. */
const maxScanned = 64_000_000;

/**
 * Prose around the object and Markdown fences are fine when exactly one object in them is accepted.
 * @param accepts whether an object looks like the answer that was asked for.
 */
export function parseAnswer(
  output: string,
  accepts: (value: Readonly<Record<string, unknown>>) => boolean,
): ParsedAnswer {
  const text = output.replace(/^\uFEFF/u, "").trim();
  if (text === "") return { kind: "empty", cause: "the agent printed nothing" };
  const whole = parseObject(text);
  if (whole !== null) return { kind: "json", text, value: whole };

  const found = new Map<string, Readonly<Record<string, unknown>>>();
  let open = false;
  let at = text.indexOf("{");
  for (let scanned = 0; at !== -1 && scanned < maxScanned;) {
    const end = findEnd(text, at);
    scanned += (end ?? text.length) - at;
    const piece = end === null ? null : text.slice(at, end);
    const value = piece === null ? null : parseObject(piece);
    if (end === null) open = true;
    if (piece !== null && value !== null && accepts(value)) found.set(JSON.stringify(value), value);
    // The same object printed twice counts once.
    at = text.indexOf("{", piece !== null && value !== null ? at + piece.length : at + 1);
  }
  const [only] = found;
  if (only !== undefined && found.size === 1) return { kind: "json", text: only[0], value: only[1] };
  if (found.size > 1)
    return { kind: "ambiguous", cause: `the agent printed ${found.size} different answers instead of one` };
  if (open && text.includes('"')) return { kind: "truncated", cause: "the agent's JSON ends in the middle" };
  return { kind: "garbage", cause: "the agent printed text without the JSON object that was asked for" };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** One past the `}` that closes the `{` at `start`, or null. */
function findEnd(text: string, start: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === "\\") index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return null;
}
