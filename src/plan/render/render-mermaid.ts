import { escapeMermaidLabel } from "../../contracts/markdown.ts";
import { buildGraph, type GraphNode } from "../graph/build-graph.ts";
import { listStages } from "../graph/stages.ts";
import { transitiveReduction } from "../graph/transitive-reduction.ts";

/** A chunk, or whatever else is drawn as a node with a name and a line of text. */
export interface TitledNode extends GraphNode {
  readonly title: string;
}

export interface MermaidOptions {
  /** Chunks drawn one by one; above, they are grouped by stage. Default 60. */
  readonly maxNodes?: number;
  /** Class of a chunk's node, e.g. its state; classes are defined by `classDefinitions`. */
  readonly classOf?: (id: string) => string | null;
  /** Mermaid `classDef` bodies by class name. */
  readonly classDefinitions?: Readonly<Record<string, string>>;
}

const defaultMaxNodes = 60;
/** GitHub's Mermaid refuses more than 500 edges. */
const maxEdges = 400;
const maxTitleLength = 60;
const maxNamesInStage = 6;

/**
 * The DAG as a Mermaid flowchart, without the fence. Deps that others imply are not drawn. Nodes
 * are numbered, since ids may be words of Mermaid's own.
 */
export function renderMermaid(chunks: readonly TitledNode[], options: MermaidOptions = {}): string {
  const graph = buildGraph(chunks);
  const deps = transitiveReduction(graph);
  const edges = [...deps.values()].reduce((sum, list) => sum + list.length, 0);
  if (chunks.length > (options.maxNodes ?? defaultMaxNodes) || edges > maxEdges) return renderStages(chunks);
  const lines = ["flowchart LR"];
  for (const [index, chunk] of chunks.entries()) {
    const name = options.classOf?.(chunk.id) ?? null;
    lines.push(
      `  n${index}["${escapeMermaidLabel(chunk.id)}<br/>${escapeMermaidLabel(shorten(chunk.title))}"]${name === null ? "" : `:::${name}`}`,
    );
  }
  for (const [index, chunk] of chunks.entries()) {
    for (const dep of deps.get(chunk.id) ?? []) lines.push(`  n${graph.indexOf.get(dep)} --> n${index}`);
  }
  for (const [name, body] of Object.entries(options.classDefinitions ?? {})) lines.push(`  classDef ${name} ${body}`);
  return lines.join("\n");
}

function renderStages(chunks: readonly TitledNode[]): string {
  const lines = ["flowchart LR"];
  for (const [index, ids] of listStages(chunks).entries()) {
    const names = ids.slice(0, maxNamesInStage).map((id) => escapeMermaidLabel(shorten(id)));
    const rest = ids.length - names.length;
    if (rest > 0) names.push(`and ${rest} more`);
    const title = `Stage ${index + 1}, ${ids.length} ${ids.length === 1 ? "chunk" : "chunks"}`;
    lines.push(`  s${index}["${[title, ...names].join("<br/>")}"]`);
    if (index > 0) lines.push(`  s${index - 1} --> s${index}`);
  }
  return lines.join("\n");
}

/** Cut by code points, so that no character is halved. */
export function shorten(text: string, maxLength = maxTitleLength): string {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join("")}…`;
}
