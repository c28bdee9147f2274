/** docs/state-chart.md, drawn from the engine's own tables. */
import { ATTEMPT_LIFECYCLE, CHUNK_LIFECYCLE, type Lifecycle, RUN_LIFECYCLE } from "../../src/engine/lifecycle.ts";

export function formatStateChart(): string {
  return [
    "# State chart",
    "",
    "Generated from `src/engine/lifecycle.ts` by `npm run generate`: not to be edited. The simulation checks that",
    "no run makes a transition that is not here, and that every state is reached.",
    "",
    ...formatChart("Run", RUN_LIFECYCLE),
    ...formatChart("Chunk", CHUNK_LIFECYCLE),
    ...formatChart("Attempt", ATTEMPT_LIFECYCLE),
  ].join("\n");
}

function formatChart(title: string, lifecycle: Lifecycle<string>): readonly string[] {
  const lines = [`## ${title}`, "", "```mermaid", "stateDiagram-v2"];
  for (const [from, tos] of Object.entries(lifecycle)) {
    const source = from === "begin" ? "[*]" : formatId(from);
    for (const to of tos) lines.push(`  ${source} --> ${formatId(to)}`);
    if (tos.length === 0) lines.push(`  ${source} --> [*]`);
  }
  return [...lines, "```", ""];
}

/** Mermaid's ids hold no hyphens. */
function formatId(state: string): string {
  return state.replaceAll("-", "_");
}
