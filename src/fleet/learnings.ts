import { formatEvidencePath } from "../contracts/names.ts";
import type { RunState } from "../engine/state.ts";
import type { TreeChange } from "../github/port.ts";
import { renderProjectContext, renderServiceInventory } from "../messages/learnings.ts";

/** The project context and the service inventory, as files of the run's evidence. */
export function listLearnings(state: RunState): readonly TreeChange[] {
  const { run } = state.run;
  return [
    {
      path: formatEvidencePath(run, { kind: "project-context" }),
      mode: "100644",
      content: renderProjectContext(state),
    },
    {
      path: formatEvidencePath(run, { kind: "service-inventory" }),
      mode: "100644",
      content: renderServiceInventory(state),
    },
  ];
}
