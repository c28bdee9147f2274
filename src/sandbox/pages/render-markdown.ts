import type { Element, ElementContent, Root } from "hast";
import { raw as parseRaw } from "hast-util-raw";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";
import { renderMermaid } from "./render-mermaid.ts";

/** Where `#12`, `@name` and commit ids lead to. */
export interface MarkdownContext {
  /** The repository's page. */
  readonly page: string;
  readonly site: string;
}

function buildLink(href: string, text: string): Element {
  return { type: "element", tagName: "a", properties: { href }, children: [{ type: "text", value: text }] };
}

const REFERENCE =
  /(?<![\w/&#])(#(?<number>\d+)\b|@(?<login>[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\[bot\])?)|\b(?<sha>[0-9a-f]{40})\b)/gi;

/** Splits a text at references and makes links of them, as GitHub does. */
function linkText(text: string, context: MarkdownContext): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const { number, login, sha } = match.groups ?? {};
    parts.push({ type: "text", value: text.slice(end, match.index) });
    end = match.index + match[0].length;
    if (number !== undefined) parts.push(buildLink(`${context.page}/issues/${number}`, match[0]));
    else if (sha !== undefined) parts.push(buildLink(`${context.page}/commit/${sha}`, sha.slice(0, 7)));
    else parts.push(buildLink(`${context.site}/${login}`, match[0]));
  }
  if (parts.length === 0) return [{ type: "text", value: text }];
  parts.push({ type: "text", value: text.slice(end) });
  return parts;
}

function readText(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(readText).join("") : "";
}

function readMermaid(node: Element): string | null {
  const [code] = node.children;
  if (node.tagName !== "pre" || code?.type !== "element") return null;
  const classes = code.properties["className"];
  return Array.isArray(classes) && classes.includes("language-mermaid") ? readText(code) : null;
}

/** Diagrams become pictures, references become links; code and links are left as they are. */
function decorate(children: readonly ElementContent[], context: MarkdownContext): ElementContent[] {
  return children.flatMap((node): ElementContent[] => {
    if (node.type === "text") return linkText(node.value, context);
    if (node.type !== "element") return [];
    const source = readMermaid(node);
    const picture = source === null ? null : renderMermaid(source);
    if (source !== null && picture !== null) {
      return [
        {
          type: "element",
          tagName: "p",
          properties: { className: ["diagram"] },
          children: [{ type: "element", tagName: "img", properties: { src: picture, alt: source }, children: [] }],
        },
      ];
    }
    if (node.tagName === "code" || node.tagName === "pre" || node.tagName === "a") return [node];
    return [{ ...node, children: decorate(node.children, context) }];
  });
}

/**
 * GitHub's Markdown as HTML. Raw HTML is parsed and cut down to GitHub's own allow-list before anything of
 * ours is added, so that no body can run anything.
 */
export function renderMarkdown(text: string, context: MarkdownContext): string {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const safe = sanitize(parseRaw(toHast(tree, { allowDangerousHtml: true })), defaultSchema) as Root;
  const children = safe.children.filter((node): node is ElementContent => node.type !== "doctype");
  return toHtml({ type: "root", children: decorate(children, context) });
}
