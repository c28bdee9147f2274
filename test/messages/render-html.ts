/** What GitHub would show of our Markdown: enough to see structure, links and mentions. */
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { raw } from "hast-util-raw";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { gfm } from "micromark-extension-gfm";

export function renderHtml(markdown: string): string {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const html = toHast(tree, { allowDangerousHtml: true });
  return toHtml(sanitize(raw(html), defaultSchema));
}

/** The text people see, without markup. */
export function readText(markdown: string): string {
  return renderHtml(markdown)
    .replaceAll(/<[^>]+>/gu, "")
    .replaceAll("&#x3C;", "<")
    .replaceAll("&lt;", "<")
    .replaceAll("&#x26;", "&")
    .replaceAll("&amp;", "&");
}

/** Addresses of all links. */
export function listLinks(markdown: string): readonly string[] {
  return [...renderHtml(markdown).matchAll(/<a [^>]*href="([^"]*)"/gu)].map((match) => match[1] ?? "");
}

/** What GitHub searches for references: the text outside code. */
export function stripCode(markdown: string): string {
  return renderHtml(markdown)
    .replaceAll(/<(pre|code)[^>]*>[\s\S]*?<\/\1>/gu, "")
    .replaceAll(/<[^>]+>/gu, " ");
}

/** Whom GitHub would notify: `@name` that is not inside code. */
export function listMentions(markdown: string): readonly string[] {
  return [...stripCode(markdown).matchAll(/(?<![\w`/])@([A-Za-z0-9][A-Za-z0-9-]*)/gu)].map((match) => match[1] ?? "");
}

/** Lines outside code that a command reader would take for commands. */
export function listCommandLines(markdown: string): readonly string[] {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split("\n")) {
    const opened = /^ {0,3}(`{3,})/u.exec(line)?.[1];
    if (fence === null && opened !== undefined) fence = opened;
    else if (fence !== null) {
      if (line.trim() === fence) fence = null;
    } else if (/^\s*\/[a-z]/iu.test(line)) lines.push(line);
  }
  return lines;
}
