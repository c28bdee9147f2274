/** Writes a sanitised HTML tree down as plain Markdown: what a person reads, and nothing a person has to uncover. */
import type { Element, Nodes, Root } from "hast";
import { isDrawn, leaveOutFormulas, readLanguage } from "./visible-code.ts";

export function renderVisible(root: Root): string {
  return renderChildren(root, "")
    .replaceAll(/[ \t]+\n/gu, "\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim();
}

/**
 * GitHub shows a line end in an issue as a line end, unlike in a file.
 * @param list how deep in lists we are, as the indentation of the next item.
 */
function render(node: Nodes, list: string): string {
  if (node.type === "text") return escapeProse(leaveOutFormulas(node.value.replaceAll(/[^\S\n]+/gu, " ")));
  if (node.type === "element") return renderElement(node, list);
  return node.type === "root" ? renderChildren(node, list) : "";
}

function renderChildren(node: Root | Element, list: string): string {
  return node.children.map((child) => render(child, list)).join("");
}

function renderElement(node: Element, list: string): string {
  switch (node.tagName) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return `\n\n${"#".repeat(Number(node.tagName[1]))} ${oneLine(renderChildren(node, list))}\n\n`;
    case "br":
      return "\n";
    case "hr":
      return "\n\n---\n\n";
    case "img":
      return "[image]";
    case "input":
      return node.properties["checked"] === true ? "[x]" : "[ ]";
    case "code":
      return formatCode(readText(node));
    case "pre":
      return renderCodeBlock(node, list);
    case "details":
      return renderDetails(node, list);
    case "ul":
    case "ol":
      return renderList(node, list);
    case "blockquote":
      return `\n\n${quote(renderChildren(node, ""))}\n\n`;
    case "table":
      return renderTable(node);
    case "p":
    case "div":
    case "section":
    case "dl":
    case "dt":
    case "dd":
      return `\n\n${renderChildren(node, list).trim()}\n\n`;
    default:
      return renderChildren(node, list);
  }
}

/** A whole table with its ruler: lines with bars alone would become another table where they are rendered again. */
function renderTable(table: Element): string {
  const rows = listRows(table).map((row) =>
    row.children.filter(isCell).map((cell) => oneLine(renderChildren(cell, "")).replaceAll(/\\?\|/gu, "\\|")),
  );
  const width = Math.max(1, ...rows.map((row) => row.length));
  const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`);
  lines.splice(1, 0, `|${"---|".repeat(width)}`);
  return rows.length === 0 ? "" : `\n\n${lines.join("\n")}\n\n`;
}

function listRows(node: Element): readonly Element[] {
  return node.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return child.tagName === "tr" ? [child] : listRows(child);
  });
}

function isCell(node: Nodes): node is Element {
  return node.type === "element" && (node.tagName === "td" || node.tagName === "th");
}

function renderList(node: Element, indent: string): string {
  const items = node.children.filter((child): child is Element => child.type === "element" && child.tagName === "li");
  const start = typeof node.properties["start"] === "number" ? node.properties["start"] : 1;
  const lines = items.map((item, index) => {
    const mark = node.tagName === "ol" ? `${start + index}. ` : "- ";
    const inner = " ".repeat(mark.length);
    const text = renderChildren(item, inner)
      .trim()
      .replaceAll(/\n{2,}/gu, "\n");
    return `${mark}${text.replaceAll("\n", `\n${inner}`)}`;
  });
  const gap = indent === "" ? "\n\n" : "\n";
  return `${gap}${lines.join("\n")}${gap}`;
}

/** A closed section is not seen before it is opened: its text stays out, and says so. */
function renderDetails(node: Element, list: string): string {
  const summary = node.children.find(
    (child): child is Element => child.type === "element" && child.tagName === "summary",
  );
  const title = summary === undefined ? "" : oneLine(renderChildren(summary, list));
  if (node.properties["open"] === undefined || node.properties["open"] === false)
    return `\n\n[closed section left out${title === "" ? "" : `: ${title}`}]\n\n`;
  const rest = node.children.filter((child) => child !== summary).map((child) => render(child, list));
  return `\n\n${title}\n\n${rest.join("").trim()}\n\n`;
}

function renderCodeBlock(node: Element, indent: string): string {
  const code = node.children.find((child): child is Element => child.type === "element" && child.tagName === "code");
  const language = readLanguage(code?.properties["className"]);
  if (isDrawn(language)) return `\n\n[${language} drawing left out]\n\n`;
  const text = readText(node).replace(/\n$/u, "");
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  const gap = indent === "" ? "\n\n" : "\n";
  return `${gap}${fence}${language}\n${text}\n${fence}${gap}`;
}

function readText(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map((child) => readText(child)).join("") : "";
}

function formatCode(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  if (line.trim() === "") return "";
  const fence = "`".repeat(longestTicks(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function quote(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Visible text that would vanish where this text is rendered as Markdown again: comments, tags, definitions, pictures. */
function escapeProse(text: string): string {
  return text
    .replaceAll(/data:[\w.+/-]*[;,][^\s)]*/giu, "[data left out]")
    .replaceAll(/<(?=[!/?A-Za-z])/gu, "\\<")
    .replaceAll(/!?\[(?=[^\]]*\]\s*[:([])/gu, (mark) => mark.replace("[", "\\["))
    .replaceAll("|", "\\|")
    .replaceAll(/&(?=#?\w+;)/gu, "\\&");
}
