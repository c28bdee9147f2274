/**
 * The protocol between a job and its agent, used as it stands by the `command` preset: one JSON object
 * on standard input, one JSON value on standard output, exit code 0.
 *
 * Where the agent runs: an implementer in a checkout of `commit`, where it edits files; every other
 * agent in an otherwise empty folder with `tree/` (the files of `commit`, symbolic links as plain
 * files holding their target) and, for reviewers, `diff.patch` (`git diff base commit`). Nothing an
 * agent leaves behind is kept except an implementer's files.
 *
 * Standard output per role: plan -> PlanDraft; plan-review -> PlanVerdict; implement ->
 * {@link implementReportSchema}; review, final-review -> Verdict. Either that value alone, or
 * wrapped as {@link agentEnvelopeSchema} to report usage. Exit code 75 (EX_TEMPFAIL) means that
 * something outside failed (no key, no network, a usage limit): the last line of standard error says what.
 */
import { z } from "zod";
import { implementContextSchema } from "./job.ts";

const id = z.string().min(1).max(200);
const sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u);

/** Roles that start an agent; the others only run commands. */
export const AGENT_ROLES = ["plan", "plan-review", "implement", "review", "final-review"] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

const check = z.strictObject({
  desc: z.string(),
  run: z.string(),
  cwd: z.string().optional(),
  expect_exit: z.number().int().min(0).max(255).optional(),
});

export const agentRequestSchema = z.strictObject({
  v: z.literal(1),
  role: z.enum(AGENT_ROLES),
  /** Correlation id; a verdict repeats it. */
  job: id,
  /** The commit under work; a verdict repeats it. */
  commit: sha,
  /** review, final-review: what the change is measured against. */
  base: sha.optional(),
  /** The whole task in words, with all data fenced: enough for a model, while programs read the fields. */
  prompt: z.string(),
  /** The prompt file and its version, e.g. `implement@1`. */
  promptVersion: z.string(),
  /** implement, review. */
  chunk: z
    .strictObject({
      id,
      title: z.string(),
      brief: z.string(),
      /** The only paths the change may touch. */
      files: z.array(z.string()),
      checks: z.array(check),
      assertions: z.array(z.string()),
      requires_tests: z.boolean(),
      tier: z.enum(["code", "mid", "high"]),
    })
    .optional(),
  /** review, final-review: what a verdict must answer, by position. Checks come first, then assertions. */
  criteria: z.array(z.string()).optional(),
  /** implement: 1 for the first try. */
  attempt: z.number().int().min(1).optional(),
  /** plan-review: which of the three this is. */
  lens: z.enum(["feasibility", "completeness", "scope"]).optional(),
  /** plan, plan-review, final-review: the sanitised issue text. */
  intent: z.string().optional(),
  /** plan-review, final-review: the plan (or draft) under review; plan: the running plan when a new one is asked for. */
  plan: z.unknown().optional(),
  /** plan: the former draft that was refused, as it was written. */
  draft: z.string().optional(),
  /** plan: chunks that have landed and must stay. */
  landed: z.array(id).optional(),
  /** plan: what the person who asked for a new plan wrote. */
  request: z.string().optional(),
  /** plan, implement: what was wrong with former tries. Reviewers of chunks never get any. */
  feedback: z.array(z.strictObject({ source: z.string(), text: z.string() })).optional(),
  /** implement: what has landed, services and patterns to build upon, as earlier implementers describe them. */
  context: z.array(z.strictObject({ source: z.string(), text: z.string() })).optional(),
  /** implement: skills of the agent, each a folder with a `SKILL.md`, outside the tree. */
  skills: z.array(z.strictObject({ name: z.string(), folder: z.string() })).optional(),
  /** implement: MCP servers of the agent; the variables they need are in the program's environment. */
  mcps: z
    .array(
      z.strictObject({ name: z.string(), command: z.string(), args: z.array(z.string()), env: z.array(z.string()) }),
    )
    .optional(),
  /** plan, plan-review: every file of the repository at `commit`, sorted. */
  files: z.array(z.string()).optional(),
  /** plan, plan-review: the registry. */
  agents: z.array(z.strictObject({ name: z.string(), description: z.string(), paths: z.array(z.string()) })).optional(),
});
export type AgentRequest = z.infer<typeof agentRequestSchema>;

/** What an implementer says beside the files it changed; the files themselves are read from the tree. */
export const implementReportSchema = z.object({
  summary: z.string().max(20_000),
  /** What later implementers should know; goes into the project context and the service inventory. */
  context: implementContextSchema.optional(),
});

/** Optional wrapper of an agent's answer, for agents that know what they used. */
export const agentEnvelopeSchema = z.strictObject({
  payload: z.unknown(),
  usage: z
    .strictObject({
      input_tokens: z.number().int().min(0).nullable().default(null),
      output_tokens: z.number().int().min(0).nullable().default(null),
      usd: z.number().min(0).nullable().default(null),
      model: z.string().max(200).nullable().default(null),
    })
    .optional(),
});
