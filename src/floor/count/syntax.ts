/** Small helpers over Lezer's trees: tokens and structure, never the text of comments and strings. */
import type { SyntaxNode, Tree } from "@lezer/common";

export interface Source {
  readonly text: string;
  readonly tree: Tree;
}

export function textOf(source: Source, node: SyntaxNode): string {
  return source.text.slice(node.from, node.to);
}

/** Direct children, in order. */
export function listChildren(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** Children that are not punctuation: what stands between brackets and commas. */
export function listArguments(list: SyntaxNode | null): readonly SyntaxNode[] {
  return list === null
    ? []
    : listChildren(list).filter(
        (child) => /^[A-Z]/u.test(child.name) || child.name === "this" || child.name === "null",
      );
}

/** Whether an outer node of one of these names holds the node. */
export function findAncestor(node: SyntaxNode, accept: (ancestor: SyntaxNode) => boolean): SyntaxNode | null {
  for (let parent = node.parent; parent !== null; parent = parent.parent) if (accept(parent)) return parent;
  return null;
}

/** Visits every node of a tree, outer before inner. */
export function visitNodes(source: Source, visit: (node: SyntaxNode) => void): void {
  source.tree.iterate({ enter: (reference) => visit(reference.node) });
}
