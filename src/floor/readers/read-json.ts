export type JsonObject = Readonly<Record<string, unknown>>;

/** A whole document, or what is wrong with it. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text.startsWith("\u{FEFF}") ? text.slice(1) : text) };
  } catch (error) {
    return { problem: `not JSON: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500) };
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list, or empty for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * Calls `visit` for every line that is a JSON object. Tools mix other lines into such streams, which
 * are skipped; a line that begins like an object and is none is told.
 *
 * @returns what is wrong, at most 20 entries.
 */
export function visitJsonLines(text: string, visit: (value: JsonObject) => void): readonly string[] {
  const problems: string[] = [];
  let number = 0;
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    const line = text.slice(start, stop).trim();
    start = stop + 1;
    number += 1;
    if (!line.startsWith("{")) continue;
    const parsed = parseJson(line);
    if ("problem" in parsed) {
      if (problems.length < 20) problems.push(`line ${number} is ${parsed.problem}`);
    } else if (isObject(parsed.value)) visit(parsed.value);
  }
  return problems;
}
