/**
 * Lays rows out in columns, two spaces apart.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @param {{ right?: readonly number[] }} options numbers of the columns that are aligned to the right
 * @returns {string}
 */
export function formatTable(head, rows, { right = [] } = {}) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines.map((line) => formatLine(line, widths, right)).join("\n");
}

function formatLine(line, widths, right) {
  const cells = line.map((cell, column) =>
    right.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
  );
  return cells.join("  ").trimEnd();
}
