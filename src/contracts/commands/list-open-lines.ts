import { listHiddenLines } from "./list-hidden-lines.ts";
import { OpenElements } from "./open-elements.ts";
import { scanBlocks } from "./scan-blocks.ts";

/**
 * Numbers of the lines (from 0) that stand in a paragraph of its own, outside of quotes, lists, code, headings and
 * HTML, also HTML that was opened above and goes on: where a line can be meant as a command. In doubt a line is left out.
 *
 * Not from a Markdown parser: those build a tree, which costs the square of a text made for it, and a comment comes
 * from anybody. This reads each line once, by the rules of spec.commonmark.org/0.31.2 for what begins and ends a block.
 */
export function listOpenLines(lines: readonly string[]): ReadonlySet<number> {
  const open = new Set<number>();
  const elements = new OpenElements();
  for (const { kind, from, to } of scanBlocks(lines)) {
    const text = lines.slice(from, to).join("\n");
    switch (kind) {
      case "html":
        elements.readBlock(text);
        break;
      case "aside":
      case "lazy":
        elements.readAside(readAside(lines.slice(from, to)), kind);
        break;
      case "paragraph": {
        elements.beginParagraph();
        const hidden = listHiddenLines(text, elements);
        // A definition of a link is not shown at all, its title may take several lines.
        if (text.trimStart().startsWith("[") && text.includes("]:")) break;
        for (let line = from; line < to; line += 1) if (!hidden.has(line - from)) open.add(line);
        break;
      }
    }
  }
  return open;
}

/** Of what stands in quotes, lists and headings only the HTML matters: line by line, for they may be blocks of their own. */
function readAside(lines: readonly string[]): OpenElements {
  const elements = new OpenElements();
  for (const line of lines) {
    if (!line.includes("<")) continue;
    listHiddenLines(line, elements);
    const unfinished = /<[A-Za-z][A-Za-z0-9-]*(?=[^<>]*$)/u.exec(line)?.[0];
    if (unfinished !== undefined) elements.readTag(`${unfinished}>`);
  }
  return elements;
}
