import { escapeTableCell, formatCodeBlock } from "../../contracts/markdown.ts";

/** Parts joined by blank lines; `null` parts are left out. */
export function renderDocument(parts: readonly (string | null)[]): string {
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

export function renderSection(title: string, body: string | null): string | null {
  return body === null ? null : `## ${title}\n\n${body}`;
}

/** @returns `null` for an empty list; `render` gives one line of safe Markdown */
export function renderList<T>(items: readonly T[] | undefined, render: (item: T) => string): string | null {
  if (items === undefined || items.length === 0) return null;
  return items.map((item) => `- ${render(item)}`).join("\n");
}

/** Text of several lines that a planner wrote, shown as it stands. */
export function renderAside(text: string | undefined): string | null {
  return text === undefined ? null : formatCodeBlock(text, "text");
}

/** Cells are safe Markdown already. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head.map(escapeTableCell), head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
