import type { TitledNode } from "../../plan/render/render-mermaid.ts";
import type { ValidDocument } from "./for-each-document.ts";

/** Chunks or roles as nodes of a graph. */
export function listNodes(document: ValidDocument): readonly TitledNode[] {
  if (document.state === "plan") return document.plan.chunks;
  return document.executionPlan.agents.map((agent) => ({
    id: agent.role,
    title: agent.model,
    deps: typeof agent.depends_on === "string" ? [agent.depends_on] : (agent.depends_on ?? []),
  }));
}
