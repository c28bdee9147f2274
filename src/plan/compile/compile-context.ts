import type { AgentModel, TaskBrief } from "../../contracts/execution-plan.ts";
import type { Tier } from "../../contracts/plan.ts";

/** An agent of the registry, as far as compiling needs it. */
export interface RegisteredAgent {
  readonly name: string;
  readonly description: string;
  readonly preset: string;
  readonly skills: readonly string[];
  readonly mcps: readonly string[];
  /** Folders it is meant for; empty = the whole repository. */
  readonly paths: readonly string[];
}

/** Everything an execution plan is made of beside the plan. Plain data: the same input gives the same bytes. */
export interface CompileContext {
  readonly runId: string;
  /** The issue's own text as sanitised. */
  readonly task: string;
  /** At least one. */
  readonly agents: readonly RegisteredAgent[];
  /** Model of each tier. */
  readonly models: Readonly<Record<Tier, AgentModel>>;
  /** `taskfleet/<run key>/chunk/`. */
  readonly chunkBranchPrefix: string;
  /** The planner's breakdown; absent before planning. */
  readonly taskBrief?: TaskBrief;
  /** Chunk id to agent name, as planned or as people assigned. */
  readonly assignments?: Readonly<Record<string, string>>;
  /** Where a first plan stands that no planner wrote; absent = the planner writes it. */
  readonly planSource?: "issue" | "file";
  /** Planned stops for a person. */
  readonly checkpoints?: readonly { readonly after: string; readonly reason: string }[];
}

/** Tier to model when the configuration does not say otherwise. */
export const defaultModels: Readonly<Record<Tier, AgentModel>> = { code: "haiku", mid: "sonnet", high: "opus" };

/** The brief of a task nobody has looked at yet. */
export const neutralBrief: TaskBrief = {
  type: "other",
  complexity: "medium",
  inferred: {},
  explicit_requirements: [],
  implicit_requirements: [],
  ambiguities: [],
  out_of_scope: [],
};
