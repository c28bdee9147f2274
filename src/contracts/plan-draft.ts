/**
 * What a planner returns. Trusted only for what it says about the work: the App writes versions,
 * feature and baseline itself and checks everything else. Unknown keys of the envelope are dropped
 * (models like to add some); chunks and acceptance are exactly as in plan.v3.
 */
import { z } from "zod";

const text = z.string().min(1).max(20_000);
const chunkId = z.string().min(1).max(100);

const check = z.strictObject({
  desc: z.string().min(1),
  run: z.string().min(1),
  cwd: z.string().min(1).exactOptional(),
  expect_exit: z.number().int().min(0).max(255).exactOptional(),
});

/** plan.v3's chunk as zod sees it; a property test holds it to the schema. */
export const draftChunkSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/u),
  title: z.string().min(1),
  deps: z
    .array(z.string())
    .refine((deps) => new Set(deps).size === deps.length, "each dep once")
    .exactOptional(),
  tier: z.enum(["code", "mid", "high"]),
  brief: z.string().min(1),
  files_touched: z.array(z.string().min(1)).min(1),
  checks: z.array(check).min(1),
  assertions: z.array(z.string().min(1)).exactOptional(),
  requires_tests: z.boolean().exactOptional(),
});

export const draftAcceptanceSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("check"), ...check.shape }),
  z.strictObject({ kind: z.literal("assertion"), desc: z.string().min(1) }),
]);

const taskBrief = z.object({
  type: z.enum(["frontend", "backend", "fullstack", "infra", "fix", "other"]).default("other"),
  complexity: z.enum(["low", "medium", "high"]).default("medium"),
  inferred: z.record(z.string(), z.unknown()).default({}),
  explicit_requirements: z.array(text).default([]),
  implicit_requirements: z.array(text).default([]),
  ambiguities: z.array(text).default([]).describe("What could be meant in more than one way and was not asked."),
  out_of_scope: z.array(text).default([]),
});

/** An item of the pre-flight checklist (src/plan/checklist): where the plan meets it, or why it does not apply. */
const checklistAnswer = z.object({
  item: z.string().min(1).max(100).describe("Id of the checklist item."),
  where: text.optional().describe("Chunk ids or words: where the plan meets it."),
  why_not: text.optional().describe("Why it does not apply."),
});

/** How a revised draft deals with one finding of its plan reviewers. */
const findingAnswer = z.object({
  finding: z.string().min(1).max(20).describe("The finding's id, `F1` and so on."),
  fix: text.optional().describe("What was changed in the plan."),
  rebuttal: text.optional().describe("Why it does not hold, with evidence from the code."),
});

const plan = z.object({
  kind: z.literal("plan"),
  triage: z.enum(["simple", "complex"]).default("complex"),
  title: z.string().min(1).max(300),
  goal: text.describe("One sentence: what the person wants."),
  task_brief: taskBrief.prefault({}),
  chunks: z.array(draftChunkSchema).min(1),
  acceptance: z.array(draftAcceptanceSchema).min(1),
  requirements: z
    .array(z.object({ text, chunks: z.array(chunkId).default([]) }))
    .default([])
    .describe("Each requirement with the chunks that meet it."),
  decisions: z.array(z.object({ choice: text, why: text.default("not said") })).default([]),
  assignments: z.record(chunkId, z.string().min(1).max(100)).default({}).describe("Chunk id to the name of its agent."),
  unassignable: z
    .array(z.object({ chunk: chunkId, reason: text }))
    .default([])
    .describe("Chunks no agent of the registry fits."),
  checklist: z.array(checklistAnswer).default([]),
  open_questions: z.array(text).default([]),
  new_folders: z
    .array(text)
    .max(1000)
    .optional()
    .describe("Folders that do not exist yet and that files of the plan are put into."),
  answers: z
    .array(findingAnswer)
    .max(1000)
    .optional()
    .describe("After a review of the plan: each finding with a fix or a rebuttal."),
  checkpoints: z
    .array(z.object({ after: chunkId, reason: text }))
    .default([])
    .describe("Chunks after which a person should look before work goes on."),
  api_contract: text.optional().describe("Markdown: endpoints with requests, responses and errors."),
  security: text.optional().describe("Markdown: trust boundaries, validation, limits, secrets."),
  user_flows: text.optional().describe("Markdown: trigger, steps, visible outcome."),
  external_dependencies: text.optional().describe("Markdown: services, credentials, what happens without them."),
});

const questions = z.object({ kind: z.literal("questions"), questions: z.array(text).min(1) });

/** A question that needs no change. */
const answer = z.object({ kind: z.literal("answer"), text });

export const planDraftSchema = z.discriminatedUnion("kind", [plan, questions, answer]);

export type PlanDraft = z.infer<typeof planDraftSchema>;
/** A draft that proposes work. */
export type PlanProposal = z.infer<typeof plan>;
export type FindingAnswer = z.infer<typeof findingAnswer>;
export type ChecklistAnswer = z.infer<typeof checklistAnswer>;
