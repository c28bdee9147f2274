import { buildGraph, criticalPath, listStages, topologicalOrder } from "../../plan/graph.ts";
import type { Terminal } from "../terminal.ts";
import type { ExamineOptions } from "./examine.ts";
import { forEachDocument } from "./for-each-document.ts";
import { listNodes } from "./list-nodes.ts";

/** `plan order`: one id a line, deps first. */
export async function runOrder(
  terminal: Terminal,
  files: readonly string[],
  options: ExamineOptions & { readonly json?: boolean; readonly stages?: boolean },
): Promise<number> {
  return forEachDocument(terminal, files, options, (document) => {
    const graph = buildGraph(listNodes(document));
    const order = topologicalOrder(graph);
    const stages = listStages(graph);
    if (options.json === true) {
      const { file, state: kind } = document;
      return `${JSON.stringify({ file, kind, order, stages, critical_path: criticalPath(graph) })}\n`;
    }
    const lines = options.stages === true ? stages.map((ids) => ids.join(" ")) : order;
    return `${lines.join("\n")}\n`;
  });
}
