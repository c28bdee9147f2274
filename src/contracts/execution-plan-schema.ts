/**
 * The JSON Schema (2020-12) of the ExecutionPlan: the shape. `schemas/execution-plan.schema.json`
 * is generated from it and src/plan compiles its shape checks from it.
 */

const texts = { type: "array", items: { type: "string", minLength: 1 } } as const;

const agent = {
  description: "One agent to spawn.",
  type: "object",
  additionalProperties: false,
  required: ["role", "model", "skills", "mcps", "depends_on", "worktree", "context"],
  properties: {
    role: {
      description: "Name of the role; unique, also when upper and lower case are not told apart.",
      type: "string",
      pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
    },
    model: {
      description: "Tier name of the model it starts with; the configuration maps it to a real one.",
      type: "string",
      enum: ["haiku", "sonnet", "opus"],
    },
    skills: { ...texts, description: "Skills handed to the agent." },
    mcps: { ...texts, description: "MCP servers the agent may use." },
    depends_on: {
      description: "Roles that must have ended before this one starts; null or an empty list = none.",
      oneOf: [{ type: "null" }, { type: "string" }, { type: "array", items: { type: "string" }, uniqueItems: true }],
    },
    worktree: {
      description: "Branch of an agent that writes code; null for all others.",
      type: ["string", "null"],
      minLength: 1,
    },
    context: { description: "What exactly this agent needs to know.", type: "string", minLength: 1 },
  },
} as const;

export const executionPlanSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://taskfleet.dev/schemas/execution-plan.schema.json",
  title: "taskfleet execution plan",
  description: "Who builds a task: the agents to spawn, in order. It exists and is valid before any agent starts.",
  type: "object",
  additionalProperties: false,
  required: ["run_id", "task", "target_dir", "task_brief", "agents"],
  properties: {
    run_id: {
      description: "Day and number of the run, `YYYY-MM-DD-NNN`; never used twice.",
      type: "string",
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}-(?:[0-9]{3}|[1-9][0-9]{3})$",
    },
    task: { description: "What people asked for, in their words.", type: "string", minLength: 1 },
    target_dir: {
      description: "Folder the work happens in, `.` for the whole repository, or null when not known.",
      type: ["string", "null"],
      minLength: 1,
    },
    task_brief: {
      description: "The task taken apart.",
      type: "object",
      additionalProperties: false,
      required: [
        "type",
        "complexity",
        "inferred",
        "explicit_requirements",
        "implicit_requirements",
        "ambiguities",
        "out_of_scope",
      ],
      properties: {
        type: { type: "string", enum: ["frontend", "backend", "fullstack", "infra", "fix", "other"] },
        complexity: {
          description: "Decides on models, brainstorming and whether people must approve.",
          type: "string",
          enum: ["low", "medium", "high"],
        },
        inferred: { description: "What the planner concluded by itself; keys are free.", type: "object" },
        explicit_requirements: texts,
        implicit_requirements: texts,
        ambiguities: texts,
        out_of_scope: texts,
      },
    },
    agents: {
      description: "The agents in the order of spawning; the synthesizer is last.",
      type: "array",
      minItems: 1,
      items: { $ref: "#/$defs/agent" },
    },
  },
  $defs: { agent },
} as const;
