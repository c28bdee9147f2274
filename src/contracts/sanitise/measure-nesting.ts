import type { Nodes } from "mdast";

/** Elements that are closed by what follows, or never open. */
const shallow = /^(?:p|li|t[dhr]|d[dt]|br|hr|img|input|col|source|wbr|option)$/iu;

/** How deep a text nests, Markdown and HTML together; walked without recursion, since that is what it guards. */
export function measureNesting(root: Nodes): number {
  let deepest = 0;
  let open = 0;
  const stack: Array<{ readonly node: Nodes; readonly depth: number }> = [{ node: root, depth: 1 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, depth } = next;
    if (node.type === "html") {
      for (const [, slash, name = ""] of node.value.matchAll(/<(\/?)([A-Za-z][\w-]*)/gu)) {
        if (!shallow.test(name)) open = Math.max(0, open + (slash === "/" ? -1 : 1));
        deepest = Math.max(deepest, depth + open);
      }
    }
    deepest = Math.max(deepest, depth);
    // Last child first, so that HTML is met in the order of the text.
    if ("children" in node)
      for (const child of node.children.toReversed()) stack.push({ node: child, depth: depth + 1 });
  }
  return deepest;
}
