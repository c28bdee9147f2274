import type { Plan } from "../../contracts/plan.ts";
import { isTestFile } from "../../contracts/test-files.ts";
import { buildGraph, type ChunkGraph } from "../graph/build-graph.ts";

/** What the repository's configuration adds to the rules. */
export interface LintOptions {
  /** Whether a path holds tests; by default the conventions of each ecosystem. */
  readonly isTestFile?: (path: string) => boolean;
  /** How a path is protected: `declared` may change when people approve it, `never` cannot be changed by any plan. */
  readonly findProtection?: (path: string) => "declared" | "never" | null;
}

/** A valid plan with what several rules need. */
export interface LintContext {
  readonly plan: Plan;
  readonly graph: ChunkGraph;
  readonly isTestFile: (path: string) => boolean;
  readonly findProtection: (path: string) => "declared" | "never" | null;
}

export function buildLintContext(plan: Plan, options: LintOptions): LintContext {
  return {
    plan,
    graph: buildGraph(plan.chunks),
    isTestFile: options.isTestFile ?? ((path) => isTestFile(path)),
    findProtection: options.findProtection ?? (() => null),
  };
}
