/**
 * ExecutionPlan: who builds the plan. The types mirror `schemas/execution-plan.schema.json`; the
 * document exists and is valid before any agent starts.
 */

/** Tier names; the config maps them to real models. */
export type AgentModel = "haiku" | "sonnet" | "opus";
export type TaskType = "frontend" | "backend" | "fullstack" | "infra" | "fix" | "other";
export type Complexity = "low" | "medium" | "high";

/** The task taken apart by the planner. */
export interface TaskBrief {
  readonly type: TaskType;
  readonly complexity: Complexity;
  /** What the planner concluded by itself; keys are free. */
  readonly inferred: Readonly<Record<string, unknown>>;
  readonly explicit_requirements: readonly string[];
  readonly implicit_requirements: readonly string[];
  readonly ambiguities: readonly string[];
  readonly out_of_scope: readonly string[];
}

/** One agent to spawn. */
export interface AgentRole {
  /** Unique after case folding, e.g. `backend--auth-api`. */
  readonly role: string;
  /** The model it starts with; the one really used is a fact. */
  readonly model: AgentModel;
  readonly skills: readonly string[];
  readonly mcps: readonly string[];
  /** `null` starts at once; otherwise waits for all named roles. */
  readonly depends_on: string | readonly string[] | null;
  /** Branch of an agent that writes code; `null` for all others. */
  readonly worktree: string | null;
  /** What this agent needs to know. */
  readonly context: string;
}

export interface ExecutionPlan {
  /** `YYYY-MM-DD-NNN`, never reused. */
  readonly run_id: string;
  /** The issue's own text as sanitised. */
  readonly task: string;
  /** Common folder of the plan's files, `.`, or `null`. */
  readonly target_dir: string | null;
  readonly task_brief: TaskBrief;
  /** In the order of spawning; the synthesizer is last. */
  readonly agents: readonly AgentRole[];
}
