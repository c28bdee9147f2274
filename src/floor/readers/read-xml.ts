import { SaxesParser } from "saxes";

export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlVisitor {
  readonly open: (name: string, attributes: XmlAttributes) => void;
  readonly close: (name: string) => void;
  readonly text?: (text: string) => void;
  readonly comment?: (text: string) => void;
}

/** XML 1.0 forbids them, and some reporters write them raw (colours in failure messages). */
// oxlint-disable-next-line no-control-regex
const forbiddenCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/gu;

/**
 * Walks a document, holding none of it. Not well-formed input is told with its place and nothing after
 * it is believed. A document type declares nothing here: no entity of it is ever expanded or fetched.
 *
 * @returns what is wrong, or null.
 */
export function walkXml(text: string, visitor: XmlVisitor): string | null {
  const parser = new SaxesParser({ position: true });
  const found: { problem: string | null } = { problem: null };
  parser.on("error", (error) => {
    found.problem ??= error.message;
  });
  parser.on("opentag", (tag) => {
    if (found.problem === null) visitor.open(tag.name, tag.attributes as XmlAttributes);
  });
  parser.on("closetag", (tag) => {
    if (found.problem === null) visitor.close(tag.name);
  });
  const { text: onText, comment: onComment } = visitor;
  if (onComment !== undefined) parser.on("comment", onComment);
  if (onText !== undefined) {
    parser.on("text", onText);
    parser.on("cdata", onText);
  }
  const body = text.startsWith("\u{FEFF}") ? text.slice(1) : text;
  try {
    const step = 1 << 20;
    for (let at = 0; at < body.length && found.problem === null; at += step)
      parser.write(body.slice(at, at + step).replaceAll(forbiddenCharacters, "\u{FFFD}"));
    if (found.problem === null) parser.close();
  } catch (error) {
    found.problem ??= error instanceof Error ? error.message : String(error);
  }
  return found.problem;
}
