import { escapeMarkdownText, formatCodeBlock } from "../../contracts/markdown.ts";
import { formatSentence } from "./sentence.ts";

/**
 * Several paragraphs a model wrote, as Markdown of ours: fenced code stays code, list items and
 * headings keep their look, everything else is plain text. Nothing of it acts as markup by itself.
 */
export function formatModelText(text: string): string {
  const blocks: string[] = [];
  let prose: string[] = [];
  let code: { readonly fence: string; readonly lines: string[] } | null = null;
  const flush = (): void => {
    const paragraph = prose.join("\n").trim();
    if (paragraph !== "") blocks.push(paragraph);
    prose = [];
  };
  for (const line of text.split(/\r\n?|\n/u)) {
    const fence = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
    if (code !== null) {
      if (fence !== undefined && fence.startsWith(code.fence)) {
        blocks.push(formatCodeBlock(code.lines.join("\n")));
        code = null;
      } else code.lines.push(line);
    } else if (fence !== undefined) {
      flush();
      code = { fence, lines: [] };
    } else if (line.trim() === "") flush();
    else prose.push(formatProseLine(line));
  }
  flush();
  // A fence that is never closed: what follows it is code all the same.
  if (code !== null) blocks.push(formatCodeBlock(code.lines.join("\n")));
  return blocks.join("\n\n");
}

function formatProseLine(line: string): string {
  const item = /^\s*(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/u.exec(line);
  if (item !== null) return `${item[1] === undefined ? "-" : `${item[1]}.`} ${formatSentence(item[2] ?? "")}`;
  const heading = /^\s*#{1,6}\s+(.*)$/u.exec(line)?.[1];
  if (heading !== undefined) return `**${escapeMarkdownText(heading).trim()}**`;
  return formatSentence(line.trim());
}
