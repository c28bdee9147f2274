import { scanBlocks } from "./scan-blocks.ts";
import { listHiddenLines } from "./list-hidden-lines.ts";

/**
 * Numbers of the lines (from 0) that stand in a paragraph of its own, outside of quotes, lists, code, headings and
 * HTML: where a line can be meant as a command. In doubt a line is left out.
 *
 * Not from a Markdown parser: those build a tree, which costs the square of a text made for it, and a comment comes
 * from anybody. This reads each line once, by the rules of spec.commonmark.org/0.31.2 for what begins and ends a block.
 */
export function listOpenLines(lines: readonly string[]): ReadonlySet<number> {
  const open = new Set<number>();
  for (const { from, to } of scanBlocks(lines)) {
    const paragraph = lines.slice(from, to).join("\n");
    // A definition of a link is not shown at all, its title may take several lines.
    if (paragraph.trimStart().startsWith("[") && paragraph.includes("]:")) continue;
    const hidden = listHiddenLines(paragraph);
    for (let line = from; line < to; line += 1) if (!hidden.has(line - from)) open.add(line);
  }
  return open;
}
