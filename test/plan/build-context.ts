import type { CompileContext } from "../../src/plan/compile/compile-context.ts";
import { defaultModels } from "../../src/plan/compile/compile-context.ts";

export function buildContext(overrides: Partial<CompileContext> = {}): CompileContext {
  return {
    runId: "2026-11-30-001",
    task: "Let people keep a list of todos.",
    agents: [{ name: "web", description: "", preset: "claude", skills: ["css"], mcps: ["browser"], paths: [] }],
    models: defaultModels,
    chunkBranchPrefix: "taskfleet/7-todo/chunk/",
    ...overrides,
  };
}
