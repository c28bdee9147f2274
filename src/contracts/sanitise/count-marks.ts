import { fromMarkdown } from "mdast-util-from-markdown";

/** Everything that looks into pairs of marks; what is left finds blocks, in linear time. */
const blocksOnly = { disable: { null: ["attention", "labelStartImage", "labelStartLink", "labelEnd"] } };

/**
 * The most emphasis and link marks any one block of a text holds. Parsing them costs the square of this number:
 * a text made of them would keep the parser busy for minutes.
 */
export function countMarks(markdown: string): number {
  const tree = fromMarkdown(markdown, { extensions: [blocksOnly] });
  let most = 0;
  const stack: Array<(typeof tree)["children"][number]> = [...tree.children];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "paragraph" || node.type === "heading") {
      const start = node.position?.start.offset ?? 0;
      const text = markdown.slice(start, node.position?.end.offset ?? start);
      most = Math.max(most, text.match(/\*+|_+|~+|[[\]]/gu)?.length ?? 0);
    } else if ("children" in node) stack.push(...(node.children as typeof tree.children));
  }
  return most;
}
