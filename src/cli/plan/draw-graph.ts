import { buildGraph } from "../../plan/graph/build-graph.ts";
import { listStages } from "../../plan/graph/stages.ts";
import { transitiveReduction } from "../../plan/graph/transitive-reduction.ts";
import type { TitledNode } from "../../plan/render/render-mermaid.ts";

/** Above, boxes and arrows are harder to read than a list. */
const maxDrawn = 40;

/** Boxes and arrows for a terminal; stage by stage when there are too many. Ids only: they are plain ASCII. */
export async function drawGraph(nodes: readonly TitledNode[]): Promise<string> {
  if (nodes.length > maxDrawn) return listInStages(nodes);
  const { renderMermaidASCII } = await import("beautiful-mermaid");
  const graph = buildGraph(nodes);
  const lines = ["flowchart LR", ...nodes.map(({ id }, index) => `  n${index}["${id}"]`)];
  for (const [id, deps] of transitiveReduction(graph)) {
    for (const dep of deps) lines.push(`  n${graph.indexOf.get(dep)} --> n${graph.indexOf.get(id)}`);
  }
  const drawn = renderMermaidASCII(lines.join("\n"), {
    paddingX: 4,
    paddingY: 1,
    boxBorderPadding: 0,
    colorMode: "none",
  });
  return drawn.replaceAll(/[ \t]+$/gm, "").trimEnd();
}

function listInStages(nodes: readonly TitledNode[]): string {
  const deps = transitiveReduction(nodes);
  const stages = listStages(nodes).map((ids, index) => {
    const rows = ids.map((id) => {
      const waits = deps.get(id) ?? [];
      return `  ${id}${waits.length === 0 ? "" : `  <- ${waits.join(", ")}`}`;
    });
    return [`stage ${index + 1} (${ids.length})`, ...rows].join("\n");
  });
  return stages.join("\n");
}
