import { escapeMarkdownText, formatCode, formatTableCode } from "../../contracts/markdown.ts";

/**
 * A sentence of the engine or of a model as Markdown: what stands between backticks is shown as
 * code, everything else as plain text. Untrusted parts may be anywhere in it.
 */
export function formatSentence(text: string): string {
  return formatParts(text, formatCode);
}

/** The same, for a cell of a table. */
export function formatSentenceCell(text: string): string {
  return formatParts(text, formatTableCode).trim() || " ";
}

/** The same without any markup, for places that show plain text (titles of checks and pull requests). */
export function formatPlainSentence(text: string): string {
  return text.replaceAll("`", "").replaceAll(/\s+/gu, " ").trim();
}

function formatParts(text: string, code: (text: string) => string): string {
  const parts = text.replaceAll(/\s+/gu, " ").split("`");
  // An odd number of backticks: the last one opens nothing.
  const paired = parts.length % 2 === 1;
  return parts
    .map((part, index) => {
      if (part === "") return "";
      const last = index === parts.length - 1;
      if (index % 2 === 1 && (paired || !last)) return code(part);
      return index % 2 === 1 ? escapeMarkdownText(`\`${part}`) : escapeMarkdownText(part);
    })
    .join("");
}

/** The start of a text, at most `most` characters long, with an ellipsis where something was left out. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/u, "")}…`;
}
