/**
 * A GitHub table. Cells are Markdown that is safe in a cell already (see contracts/markdown.ts);
 * an empty list of rows gives nothing.
 */
export function formatTable(headers: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  if (rows.length === 0) return "";
  const format = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => (cell.trim() === "" ? " " : cell)).join(" | ")} |`;
  return [format(headers), `|${headers.map(() => " --- |").join("")}`, ...rows.map(format)].join("\n");
}
