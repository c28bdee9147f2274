import { renderMermaid } from "../../plan/render/render-mermaid.ts";
import { drawGraph } from "./draw-graph.ts";
import type { Terminal } from "../terminal.ts";
import type { ExamineOptions } from "./examine.ts";
import { forEachDocument } from "./for-each-document.ts";
import { listNodes } from "./list-nodes.ts";

/** `plan graph`: the DAG of chunks or roles. */
export async function runGraph(
  terminal: Terminal,
  files: readonly string[],
  options: ExamineOptions & { readonly json?: boolean; readonly mermaid?: boolean },
): Promise<number> {
  return forEachDocument(terminal, files, options, async (document) => {
    const nodes = listNodes(document);
    if (options.json === true) {
      return `${JSON.stringify({ file: document.file, kind: document.state, mermaid: renderMermaid(nodes) })}\n`;
    }
    return `${options.mermaid === true ? renderMermaid(nodes) : await drawGraph(nodes)}\n`;
  });
}
