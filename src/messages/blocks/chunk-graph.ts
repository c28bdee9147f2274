import { deriveChunkPhase, deriveStops, type ChunkPhase } from "../../engine/derive/chunk-progress.ts";
import type { ChunkId } from "../../contracts/ids.ts";
import type { PlanRevision, RunState } from "../../engine/state.ts";
import { renderMermaid } from "../../plan/render/render-mermaid.ts";
import { findRow } from "../../engine/table.ts";

type NodeState = "open" | "working" | "landed" | "stuck" | "skipped";

/** Readable on GitHub's light and dark pages: own fill, own text colour. */
const CLASS_DEFINITIONS: Readonly<Record<NodeState, string>> = {
  open: "fill:#eaeef2,stroke:#6e7781,color:#24292f",
  working: "fill:#fff8c5,stroke:#9a6700,color:#24292f",
  landed: "fill:#dafbe1,stroke:#1a7f37,color:#24292f",
  stuck: "fill:#ffebe9,stroke:#cf222e,color:#24292f",
  skipped: "fill:#ffffff,stroke:#8c959f,color:#57606a,stroke-dasharray:4 3",
};

const NODE_STATES: Readonly<Record<ChunkPhase, NodeState>> = {
  waiting: "open",
  ready: "open",
  implementing: "working",
  validating: "working",
  reviewing: "working",
  verified: "working",
  retrying: "working",
  landed: "landed",
  skipped: "skipped",
  escalated: "stuck",
  stopped: "stuck",
};

/** The revision's DAG as a Mermaid block, every chunk coloured by how far it has come. */
export function formatChunkGraph(state: RunState, revision: PlanRevision): string {
  const stops = deriveStops(state);
  const active = state.approved?.rev === revision.rev;
  const graph = renderMermaid(revision.plan.chunks, {
    classOf: (id) => {
      const chunk = findRow(state.chunks, id as ChunkId);
      return active && chunk !== undefined ? NODE_STATES[deriveChunkPhase(chunk, state, stops)] : "open";
    },
    classDefinitions: CLASS_DEFINITIONS,
  });
  return `\`\`\`mermaid\n${graph}\n\`\`\``;
}
