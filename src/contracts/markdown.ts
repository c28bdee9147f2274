/**
 * Untrusted text made harmless for GitHub's Markdown, HTML and Mermaid. What a reader sees stays
 * the same text; it neither changes the page's structure nor notifies, links or closes anything.
 */

/** Keeps `@name`, `#1`, `GH-1`, commit ids and addresses from becoming links or pings, and hides nothing a person would miss. */
export function neutraliseMentions(text: string): string {
  // U+2060 (word joiner) is invisible, has no width and breaks GitHub's matching of references.
  return text
    .replaceAll(/@(?=[\p{L}\p{N}_-])/gu, "@\u2060")
    .replaceAll(/#(?=\d)/g, "#\u2060")
    .replaceAll(/\b(GH)-(?=\d)/gi, "$1-\u2060")
    .replaceAll(/\b([a-z][a-z0-9+.-]*:)(?=\/\/)/gi, "$1\u2060")
    .replaceAll(/\b(www)\.(?=\S)/gi, "$1\u2060.")
    .replaceAll(/\b(mailto:|xmpp:)(?=\S)/gi, "$1\u2060")
    .replaceAll(/\b(?=[a-f]*\d)(?=\d*[a-f])([0-9a-f]{3})(?=[0-9a-f]{4,61}\b)/gi, "$1\u2060");
}

/**
 * Untrusted text as one line of Markdown prose (a title, a description). Line breaks become blanks,
 * control, bidirectional and other invisible characters go, all markup is escaped.
 */
export function escapeMarkdownText(text: string): string {
  return neutraliseMentions(formatOneLine(text))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_{}[\]()#+\-!|~$:^=]/g, escapePunctuation)
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** `-`, `+` and `=` matter at the start of a line only, `:` and `^` never when alone: escape no more than needed. */
function escapePunctuation(character: string, offset: number, whole: string): string {
  if ("-+=".includes(character)) return offset === 0 ? `\\${character}` : character;
  if ("()!^".includes(character)) return character;
  if (character === ":") return /^:[\w+-]+:/.test(whole.slice(offset)) ? "\\:" : ":";
  return `\\${character}`;
}

/** Untrusted text inside an HTML element of ours (`<summary>`), where Markdown is not read. */
export function escapeHtmlText(text: string): string {
  return neutraliseMentions(formatOneLine(text))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Untrusted text as one cell of a table. */
export function escapeTableCell(text: string): string {
  return escapeMarkdownText(text).trim() || " ";
}

/** Untrusted text as inline code, shown literally whatever backticks it holds. Inside a table use `formatTableCode`. */
export function formatCode(text: string): string {
  const line = formatOneLine(text);
  if (line.trim() === "") return "` `";
  const fence = "`".repeat(longestRun(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") || (line.startsWith(" ") && line.endsWith(" ")) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Inline code in a table cell: GFM splits cells before it reads code, so `|` needs its backslash there too. */
export function formatTableCode(text: string): string {
  return formatCode(text).replaceAll("|", "\\|");
}

/** Untrusted text of several lines as a fenced block; the fence is longer than any run of backticks inside. */
export function formatCodeBlock(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.endsWith("\n") ? text : `${text}\n`}${fence}`;
}

/** Untrusted text as a label inside `"…"` of a Mermaid flowchart; entities are Mermaid's own (`#quot;`). */
export function escapeMermaidLabel(text: string): string {
  return formatOneLine(text)
    .replaceAll(/[#&<>"`|;\\{}[\]()@%:*_/$~^=]/g, formatMermaidEntity)
    .replace(/^[-+]/, formatMermaidEntity)
    .replace(/^(\d+)\./, "$1#46;");
}

function formatMermaidEntity(character: string): string {
  return `#${character.charCodeAt(0)};`;
}

/** One line without control, bidirectional and other invisible characters. */
export function formatOneLine(text: string): string {
  return text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "")
    .toWellFormed();
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
