/** Looks for keys in what leaves a job: plain, encoded, reversed, or broken into pieces. */

/** Shorter values would be found everywhere. */
const minLength = 8;

/** Names of the secrets of which a text holds a form. Binary content must be decoded by the caller. */
export function findLeaks(texts: Iterable<string>, secrets: ReadonlyMap<string, string>): readonly string[] {
  const needles: Array<readonly [name: string, needle: string]> = [];
  for (const [name, value] of secrets) {
    if (value.length >= minLength) for (const form of listForms(value)) needles.push([name, form]);
  }
  const found = new Set<string>();
  if (needles.length === 0) return [];
  for (const text of texts) {
    const plain = squeeze(text);
    const folded = plain.toLowerCase();
    for (const [name, needle] of needles) if (plain.includes(needle) || folded.includes(needle)) found.add(name);
  }
  return [...found].sort();
}

/** Replaces plain occurrences, for texts that are shown whatever they hold. */
export function redact(text: string, secrets: ReadonlyMap<string, string>): string {
  let shown = text;
  for (const [name, value] of secrets) if (value.length >= minLength) shown = shown.replaceAll(value, `[${name}]`);
  return findLeaks([shown], secrets).length > 0 ? "[withheld: the text holds an encoded key]" : shown;
}

/** Without what a value is usually broken up by: blanks, quotes, plus signs, backslashes, commas, escaped line ends. */
function squeeze(text: string): string {
  return text.replaceAll(/\\[nrt]|[\s"'`+\\,]/gu, "");
}

function listForms(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  const bytes = Buffer.from(value, "utf8");
  // Keys are ASCII: their code units are their characters.
  const reversed = value.split("").toReversed().join("");
  for (const form of [value, reversed, encodeURIComponent(value)]) forms.add(squeeze(form));
  forms.add(bytes.toString("hex"));
  forms.add(Buffer.from(reversed, "utf8").toString("hex"));
  for (const text of [value, reversed]) for (const form of listBase64(Buffer.from(text, "utf8"))) forms.add(form);
  forms.delete("");
  return forms;
}

/**
 * The value inside a longer base64 text begins at one of three offsets; the characters that also depend
 * on its neighbours are cut off.
 */
function listBase64(bytes: Buffer): readonly string[] {
  const forms: string[] = [];
  for (const offset of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const encoded = padded.toString("base64").replace(/=+$/u, "");
    const start = offset === 0 ? 0 : offset + 1;
    const end = padded.length % 3 === 0 ? encoded.length : encoded.length - 1;
    const core = encoded.slice(start, end);
    forms.push(squeeze(core), squeeze(core.replaceAll("+", "-").replaceAll("/", "_")));
  }
  return forms;
}
